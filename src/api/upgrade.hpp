// This file builds the kernels for a transform in the background, while its plan computes on
// generic ones.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <imago/plan.hpp>

namespace imago::api {

/// Returns the caller's choice, or for an automatic one that of $IMAGO_FIRST_CALL.
FirstCall first_call_of(const Options& options);

/// An upgrade of kernels of any class.
class AnyUpgrade : public std::enable_shared_from_this<AnyUpgrade> {
 public:
  /// Counts a call of the plan, which begins to build if the plan is used enough to be worth it.
  void count_call();
  /// Waits for the end of the build, also without success. Returns false if the given time ended
  /// first. Begins the build if no call did; returns at once if it cannot begin.
  bool wait(std::chrono::milliseconds most);

 protected:
  using Any = std::shared_ptr<const void>;
  AnyUpgrade(Any first, std::uint64_t points, const std::string& key, std::function<Any()> make);
  ~AnyUpgrade() = default;
  Any any() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

 private:
  void begin();
  void run() noexcept;

  const std::uint64_t points_;
  std::function<Any()> make_;
  const std::shared_ptr<std::atomic<std::uint64_t>> calls_;
  std::atomic<bool> is_counted_ = false;  ///< the build began, so that calls need no counting
  mutable std::mutex mutex_;              ///< libc++ has no atomic shared_ptr
  Any current_;
  std::condition_variable changed_;
  bool begun_ = false, ended_ = false;
};

template <class Kernels>
class UpgradeOf : public AnyUpgrade {
 public:
  using Shared = std::shared_ptr<const Kernels>;
  using Make = std::function<Shared()>;
  /// `first` has generic kernels. `make` builds the others; it runs once, in another thread, and
  /// may outlive the plan. `points` is the size of a call. Plans with equal keys count their calls
  /// together, so that shapes that evict each other from a cache of plans are built in the end.
  UpgradeOf(Shared first, std::uint64_t points, const std::string& key, Make make)
      : AnyUpgrade(std::move(first), points, key, std::move(make)) {}

  /// Returns the kernels of the next call: the first ones until the others are built.
  Shared current() const { return std::static_pointer_cast<const Kernels>(any()); }
};

}  // namespace imago::api
