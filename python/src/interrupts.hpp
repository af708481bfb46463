// This file lets Ctrl-C reach Python during long work of the library, and shows its progress. The
// work runs in a thread of its own, and Python's main thread checks for signals while it waits.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "gil.hpp"

namespace imago::python {

/// Work that may continue after the caller has left: it owns, or holds references to, all that it
/// uses.
using Job = std::function<void()>;

/// Returns true if the awaited work ends within the given time.
using Ready = std::function<bool(std::chrono::milliseconds)>;

/// Called without the GIL. In Python's main thread it starts the work in another thread and waits
/// for its end. If a signal's handler raises (KeyboardInterrupt), the exception is thrown at once
/// and the work continues in the background. In other threads it does the work itself. The job
/// handles its own exceptions.
void work_interruptibly(Job job);
/// Waits for work of another thread; in Python's main thread with the same checks for signals.
void wait_interruptibly(const Ready& ready);
/// Called before the interpreter ends. Ends the background work after the kernel that is being
/// compiled. A second signal ends the process. The end of the process then waits for the threads
/// that are still in the library (daemons of Python).
void end_work();

/// Creates an object that is destroyed with the GIL, in whichever thread its last owner ends.
template <class T, class... Arguments>
std::shared_ptr<T> with_gil(Arguments&&... arguments) {
  return {new T(std::forward<Arguments>(arguments)...), [](T* object) {
            const Acquired gil;
            delete object;
          }};
}

/// Returns the result of the work, or throws its exception.
template <class Work>
auto interruptibly(Work work) -> decltype(work()) {
  using Result = decltype(work());
  const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  auto result = task->get_future();
  work_interruptibly([task] { (*task)(); });
  return result.get();
}

}  // namespace imago::python
