// This file runs work in the background.
#include "base/background.hpp"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "base/held_signals.hpp"
#include "base/system.hpp"

namespace imago::base {
namespace {

struct Queue {
  std::mutex mutex;
  std::condition_variable ended;
  std::deque<std::function<void()>> work;
  bool runs = false;    ///< true while there is a thread
  bool closed = false;  ///< true at the program's exit
};

// Never destroyed, because its thread may outlive objects with static storage.
Queue*& queue() {
  static auto* all = new Queue;
  return all;
}

void run(Queue& own) {
  lower_priority();
  std::unique_lock lock(own.mutex);
  while (!own.work.empty() && !own.closed) {
    {
      const auto work = std::move(own.work.front());
      own.work.pop_front();
      lock.unlock();
      work();
    }
    lock.lock();
  }
  own.runs = false;
  own.ended.notify_all();
}

void close() {
  if (threads_are_ended()) return;  // the work's thread may have held the lock
  Queue& own = *queue();
  std::unique_lock lock(own.mutex);
  own.closed = true;
  std::deque<std::function<void()>> dropped;
  dropped.swap(own.work);
  own.ended.wait(lock, [&] { return !own.runs; });
  lock.unlock();
}

void prepare_for_exit_and_fork() {
  std::atexit(close);
  // The child has no thread, and its copy of the mutex may be locked.
  call_in_forked([] { queue() = new Queue; });
}

}  // namespace

bool in_background(std::function<void()> work) {
  static std::once_flag once;
  std::call_once(once, prepare_for_exit_and_fork);
  Queue& own = *queue();
  const std::lock_guard lock(own.mutex);
  if (own.closed) return false;
  own.work.push_back(std::move(work));
  if (own.runs) return true;
  own.runs = true;
  const HeldSignals held;  // the thread inherits the mask
  std::thread([&own] { run(own); }).detach();
  return true;
}

}  // namespace imago::base
