// This file implements the threads that share calls.
#include "small/team.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/held_signals.hpp"
#include "base/started.hpp"
#include "base/system.hpp"
#include "small/cores.hpp"

namespace imago::small {
namespace {

using Count = std::atomic<std::uint32_t>;

/// Waits until `count` is at least `least`: a moment by looking again, which is shorter than a
/// thread needs to sleep and to wake up, then asleep.
void wait_for(const Count& count, std::uint32_t least) {
  constexpr int kLooks = 4000;
  for (int i = 0; i < kLooks; ++i)
    if (count.load(std::memory_order_acquire) >= least) return;
  for (std::uint32_t seen = count; seen < least; seen = count) count.wait(seen);
}

/// One call.
class SharedCall {
 public:
  SharedCall(const SteppedWork& work, const std::vector<std::size_t>& ends)
      : work_(work), ends_(ends) {}

  /// Takes pieces until none is left.
  void do_some(bool own) noexcept {
    std::size_t step = 0;
    for (;;) {
      const std::uint32_t number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= ends_.back()) return;
      while (number >= ends_[step]) ++step;
      const std::size_t before = step == 0 ? 0 : ends_[step - 1];
      wait_for(done_, static_cast<std::uint32_t>(before));
      run(step, number - before, own);
      if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == ends_[step]) done_.notify_all();
    }
  }
  /// Waits until all pieces have ended.
  void wait() const { wait_for(done_, static_cast<std::uint32_t>(ends_.back())); }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run(std::size_t step, std::size_t piece, bool own) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work_.run(step, piece, own);
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }

  const SteppedWork& work_;
  const std::vector<std::size_t>& ends_;
  Count next_ = 0, done_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_ = {};
};

/// The threads of a process, which work for one call at a time.
class Team {
 public:
  /// Returns false if the threads work for another call, or have ended.
  bool run(SharedCall& call, std::size_t helpers) {
    const std::unique_lock one(one_call_, std::try_to_lock);
    if (!one.owns_lock()) return false;
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      helpers = grow(helpers);
      if (helpers == 0) return false;
      place(helpers);
      call_ = &call, wanted_ = helpers, left_ = 0;
    }
    for (std::size_t i = 0; i < helpers; ++i) wake_.notify_one();
    call.do_some(true);
    call.wait();
    std::size_t came = 0;
    {
      const std::lock_guard lock(mutex_);
      came = helpers - std::exchange(wanted_, 0);
    }
    wait_for(left_, static_cast<std::uint32_t>(came));
    return true;
  }

  /// Ends the threads.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    wake_.notify_all();
    for (Helper& helper : helpers_) helper.thread.join();
  }

 private:
  struct Helper {
    std::thread thread;
    Cores cores;
  };

  /// Starts threads until there are `helpers`, and returns how many there are.
  std::size_t grow(std::size_t helpers) {
    helpers_.reserve(helpers);
    while (helpers_.size() < helpers) {
      const base::HeldSignals held;  // the thread inherits the mask
      std::thread thread = base::started([this] { work(); }, refusal_);
      if (!thread.joinable()) break;
      helpers_.push_back({std::move(thread), Cores::own()});
    }
    return std::min(helpers, helpers_.size());
  }

  /// Gives the helpers the caller's cores, but not the one that it runs on: on a busy machine, a
  /// thread that wakes up there would wait until the caller has done all of the work.
  void place(std::size_t helpers) {
    const Cores cores = Cores::own().without_this();
    for (std::size_t i = 0; i < helpers; ++i)
      if (helpers_[i].cores != cores) cores.give_to(helpers_[i].thread), helpers_[i].cores = cores;
  }

  void work() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return closed_ || wanted_ > 0; });
      if (closed_) return;
      --wanted_;
      SharedCall& call = *call_;
      lock.unlock();
      call.do_some(false);
      left_.fetch_add(1, std::memory_order_acq_rel);
      left_.notify_all();
      lock.lock();
    }
  }

  std::mutex one_call_;
  std::mutex mutex_;  ///< guards the members below
  std::condition_variable wake_;
  std::vector<Helper> helpers_;
  std::exception_ptr refusal_ = {};
  SharedCall* call_ = nullptr;
  std::size_t wanted_ = 0;  ///< threads that shall still come to the call
  bool closed_ = false;
  Count left_ = 0;  ///< threads that have left the call
};

std::atomic<Team*> team = nullptr;  // never destroyed: calls may come at the end

void close_team() {
  Team* const own = team;
  if (own != nullptr && !base::threads_are_ended()) own->close();
}

/// A forked process has none of the threads, and a lock may be held for ever.
void lose_team() { team = nullptr; }

Team& own_team() {
  static std::once_flag once;
  std::call_once(once, [] {
    base::call_in_forked(lose_team);
    std::atexit(close_team);
  });
  Team* own = team;
  if (own != nullptr) return *own;
  auto made = std::make_unique<Team>();
  if (team.compare_exchange_strong(own, made.get())) return *made.release();
  return *own;
}

std::size_t limit_of_environment() {
  for (const char* name : {"IMAGO_THREADS", "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"}) {
    const unsigned long limit =
        std::strtoul(base::environment(name).value_or("").c_str(), nullptr, 10);
    if (limit > 0) return limit;
  }
  return static_cast<std::size_t>(-1);
}

}  // namespace

std::size_t most_threads() {
  static const std::size_t limit = limit_of_environment();
  return limit < 2 ? 1 : std::min(limit, Cores::own().count());
}

void run_together(const SteppedWork& work, const std::vector<std::size_t>& ends,
                  std::size_t threads) {
  SharedCall call(work, ends);
  if (threads < 2 || !own_team().run(call, threads - 1)) call.do_some(true);
  call.rethrow();
}

}  // namespace imago::small
