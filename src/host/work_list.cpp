// This file implements WorkList.
#include "host/work_list.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace imago::host {

WorkList::WorkList(std::size_t pieces, std::size_t devices, std::size_t bytes, std::stop_token stop)
    : pieces_(pieces),
      bytes_(bytes),
      stop_(std::move(stop)),
      moved_of_(pieces),
      devices_(devices) {}

/// Counts only faster devices, so that the fastest device never leaves pieces undone.
bool WorkList::others_are_sooner(std::size_t device) const {
  const Device& own = devices_[device];
  if (own.completed == 0) return false;
  double pieces_per_second = 0;
  for (const Device& other : devices_) {
    if (!other.gone && other.completed > 0 && other.seconds < own.seconds)
      pieces_per_second += 1 / other.seconds;
  }
  return static_cast<double>(pieces_ - done_) < pieces_per_second * own.seconds;
}

std::optional<std::size_t> WorkList::take(std::size_t device) {
  const std::lock_guard lock(mutex_);
  if (none_left() || is_over() || devices_[device].gone) return {};
  devices_[device].gone = others_are_sooner(device);
  if (devices_[device].gone) return {};
  if (returned_.empty()) return next_++;
  const std::size_t piece = returned_.back();
  returned_.pop_back();
  return piece;
}

void WorkList::complete(std::size_t device) {
  const std::lock_guard lock(mutex_);
  ++done_;
  Device& own = devices_[device];
  ++own.completed;
  const std::chrono::duration<double> since = Clock::now() - start_;
  own.seconds = since.count() / static_cast<double>(own.completed);
}

void WorkList::moved(std::size_t piece, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  moved_ += bytes;
  moved_of_[piece] += bytes;
}

bool WorkList::any_well() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.loss; });
}

void WorkList::lose(std::size_t device, Loss loss) {
  const std::lock_guard lock(mutex_);
  devices_[device].gone = true;
  devices_[device].loss = loss.failure;
  for (const std::size_t piece : loss.pieces) {
    moved_ -= std::exchange(moved_of_[piece], 0);
    returned_.push_back(piece);
  }
  if ((loss.overwritten || !any_well()) && !failure_) failure_ = std::move(loss.failure);
}

std::exception_ptr WorkList::loss_of(std::size_t device) {
  const std::lock_guard lock(mutex_);
  return devices_[device].loss;
}

double WorkList::share() const {
  return bytes_ == 0 ? 1 : static_cast<double>(moved_) / static_cast<double>(bytes_);
}

void WorkList::fail(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

bool WorkList::over() {
  const std::lock_guard lock(mutex_);
  return is_over();
}

void WorkList::leave() {
  const std::lock_guard lock(mutex_);
  ++left_;
  changed_.notify_all();
}

bool WorkList::resume() {
  const std::lock_guard lock(mutex_);
  if (is_over() || none_left()) return false;
  left_ = 0;
  for (Device& device : devices_) device.gone = device.loss != nullptr;
  return true;
}

void WorkList::conclude() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (moved_ < bytes_ && stop_.stop_requested())
    base::stopped("the call was stopped by its caller before it finished");
  if (done_ < pieces_) base::internal_error("pieces of a call were left behind");
}

}  // namespace imago::host
