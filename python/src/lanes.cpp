// This file implements Lanes.
#include "lanes.hpp"

#include "opencl.hpp"

namespace imago::python {

Lanes::Loan Lanes::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto lane = std::move(idle_.back());
      idle_.pop_back();
      return {*this, std::move(lane)};
    }
  }
  cl_int code = CL_SUCCESS;
  cl::CommandQueue queue(context_, device_, cl_command_queue_properties{0}, &code);
  check(code, "clCreateCommandQueue");
  return {*this, std::make_unique<Lane>(context_, std::move(queue))};
}

void Lanes::clear() {
  std::vector<std::unique_ptr<Lane>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(idle_);
}

Lanes::Loan::~Loan() {
  const std::lock_guard lock(lanes_.mutex_);
  lanes_.idle_.push_back(std::move(lane_));
}

}  // namespace imago::python
