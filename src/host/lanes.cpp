// This file implements Lanes.
#include "host/lanes.hpp"

#include "runtime/queue.hpp"

namespace imago::host {

Lane::Lane(cl_context of, cl_device_id on)
    : context(of), device(on), queue(runtime::make_queue(of, on)) {}

void Lane::settle() const noexcept { clFinish(queue.get()); }

Lanes::Loan Lanes::borrow(cl_context context, cl_device_id device) {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto lane = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(lane)};
    }
  }
  return {*this, std::make_unique<Lane>(context, device)};
}

void Lanes::clear() {
  std::vector<std::unique_ptr<Lane>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(idle_);
}

Lanes::Loan::~Loan() {
  lane_->settle();
  const std::lock_guard lock(lanes_.mutex_);
  lanes_.idle_.push_back(std::move(lane_));
}

}  // namespace imago::host
