// This file builds the kernels for a transform in the background.
#include "api/upgrade.hpp"

#include <exception>
#include <string>

#include "base/background.hpp"
#include "base/log.hpp"

namespace imago::api {

void Upgrade::count_call() {
  if (calls_.fetch_add(1, std::memory_order_relaxed) == 1) begin();
}

void Upgrade::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (begun_) return;
    begun_ = true;
  }
  // A plan that is destroyed before its turn needs no kernels.
  const bool will_run = base::in_background([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->run();
  });
  const std::lock_guard lock(mutex_);
  if (!will_run) ended_ = true;
}

void Upgrade::run() {
  std::unique_ptr<const Built> made;
  try {
    made = make_();
  } catch (const std::exception& error) {
    base::log(LogLevel::warning,
              std::string("the plan keeps its generic kernels: ") + error.what());
  }
  const std::lock_guard lock(mutex_);
  owned_ = std::move(made);
  built_.store(owned_.get(), std::memory_order_release);
  ended_ = true;
  make_ = {};
  changed_.notify_all();
}

bool Upgrade::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void Upgrade::wait() {
  begin();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_; });
}

}  // namespace imago::api
