// This file builds the kernels for a transform in the background, while its plan computes on
// generic ones.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "api/built.hpp"

namespace imago::api {

class Upgrade : public std::enable_shared_from_this<Upgrade> {
 public:
  /// `make` builds; it runs once, in another thread, and may outlive the plan.
  explicit Upgrade(std::function<std::unique_ptr<const Built>()> make) : make_(std::move(make)) {}

  /// Returns what was built; null: not yet.
  const Built* built() const { return built_.load(std::memory_order_acquire); }
  /// Counts a call of the plan; the second one begins to build.
  void count_call();
  /// Returns true if the build has ended, with or without success.
  bool ended() const;
  /// Waits for the end of the build; begins it if no call did.
  void wait();

 private:
  void begin();
  void run();

  std::function<std::unique_ptr<const Built>()> make_;
  std::atomic<const Built*> built_ = nullptr;
  std::atomic<unsigned> calls_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false, ended_ = false;
  std::unique_ptr<const Built> owned_;
};

}  // namespace imago::api
