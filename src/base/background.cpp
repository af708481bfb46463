// This file runs work in the background.
#include "base/background.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "base/forked.hpp"
#include "base/held_signals.hpp"
#include "base/log.hpp"
#include "base/started.hpp"
#include "base/system.hpp"
#include "base/watch.hpp"

namespace imago::base {
namespace {

struct Queue {
  std::mutex mutex;
  std::condition_variable ended;
  std::deque<std::function<void()>> work;
  bool runs = false;                 ///< true while there is a thread
  std::atomic<bool> closed = false;  ///< true at the program's exit
};

// Never destroyed, because its thread may outlive objects with static storage.
Queue& queue() {
  static auto* const all = new Queue;
  return *all;
}

/// Runs a piece of work, which the program's exit stops before its next kernel.
void run(const Queue& own, const std::function<void()>& work) {
  std::optional<BuildWatch> watch;
  try {
    watch.emplace([&own](std::size_t, std::size_t) {
      if (own.closed) stopped("the program ends");
    });
  } catch (const std::bad_alloc&) {  // the exit waits longer
  }
  work();
}

void run(Queue& own) {
  lower_priority();
  std::unique_lock lock(own.mutex);
  while (!own.work.empty() && !own.closed) {
    {
      const auto work = std::move(own.work.front());
      own.work.pop_front();
      lock.unlock();
      run(own, work);
    }
    lock.lock();
  }
  own.runs = false;
  own.ended.notify_all();
}

void close() {
  // The work's thread may have held the lock.
  if (threads_are_ended() || driver_is_lost()) return;
  constexpr std::chrono::seconds kPatience(1);
  Queue& own = queue();
  std::unique_lock lock(own.mutex);
  own.closed = true;
  std::deque<std::function<void()>> dropped;
  dropped.swap(own.work);
  const auto is_ended = [&] { return !own.runs; };
  if (own.ended.wait_for(lock, kPatience, is_ended)) return;
  lock.unlock();
  log(LogLevel::info, "the program's exit waits for the driver, which still compiles a kernel");
  lock.lock();
  own.ended.wait(lock, is_ended);
}

// A compiler makes static objects while it works. exit() must not destroy them before the work in
// the background has ended, so atexit() is not enough. This begins in the thread that loads the
// library, which is usually the main one.
[[maybe_unused]] const bool planned = (call_first_at_exit(close), true);

}  // namespace

bool in_background(std::function<void()> work) {
  static std::once_flag once;
  std::call_once(once, [] { std::atexit(close); });
  Queue& own = queue();
  std::exception_ptr refusal;
  bool will_run = false;
  {
    const std::lock_guard lock(own.mutex);
    if (own.closed) return false;
    own.work.push_back(std::move(work));
    if (own.runs) return true;
    const HeldSignals held;  // the thread inherits the mask
    std::thread thread = started([&own] { run(own); }, refusal);
    will_run = own.runs = thread.joinable();
    will_run ? thread.detach() : own.work.pop_back();
  }
  report_no_thread(refusal);
  return will_run;
}

}  // namespace imago::base
