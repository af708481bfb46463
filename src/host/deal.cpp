// This file implements Deal.
#include "host/deal.hpp"

#include <utility>

#include "base/errors.hpp"

namespace imago::host {

Deal::Deal(std::size_t pieces, std::size_t devices, std::size_t bytes, std::stop_token stop)
    : pieces_(pieces),
      bytes_(bytes),
      stop_(std::move(stop)),
      gone_(devices),
      completed_(devices),
      seconds_(devices) {}

/// Of the devices that are faster, for the fastest one never leaves pieces behind.
bool Deal::others_are_sooner(std::size_t device) const {
  if (completed_[device] == 0) return false;
  double pieces_per_second = 0;
  std::size_t completed = 0;
  for (std::size_t other = 0; other < completed_.size(); ++other) {
    completed += completed_[other];
    if (!gone_[other] && completed_[other] > 0 && seconds_[other] < seconds_[device])
      pieces_per_second += 1 / seconds_[other];
  }
  return static_cast<double>(pieces_ - completed) < pieces_per_second * seconds_[device];
}

std::optional<std::size_t> Deal::take(std::size_t device) {
  const std::lock_guard lock(mutex_);
  if (next_ == pieces_ || is_over() || gone_[device]) return {};
  gone_[device] = others_are_sooner(device);
  if (gone_[device]) return {};
  return next_++;
}

void Deal::complete(std::size_t device) {
  const std::lock_guard lock(mutex_);
  ++completed_[device];
  const std::chrono::duration<double> since = Clock::now() - start_;
  seconds_[device] = since.count() / static_cast<double>(completed_[device]);
}

void Deal::moved(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  moved_ += bytes;
}

void Deal::fail(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

bool Deal::over() {
  const std::lock_guard lock(mutex_);
  return is_over();
}

void Deal::leave() {
  const std::lock_guard lock(mutex_);
  ++left_;
  changed_.notify_all();
}

void Deal::conclude() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (moved_ < bytes_ && stop_.stop_requested())
    base::stopped("the call was stopped by its caller before it was done");
  if (next_ < pieces_) base::internal_error("pieces of a call were left behind");
}

}  // namespace imago::host
