// This file lets Ctrl-C reach Python while the library works for long, and shows how far it is: the
// work goes to a thread of its own, and Python's main thread looks for signals while it waits.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace imago::python {

/// Work that may be left behind: it owns, or holds references to, all that it uses.
using Job = std::function<void()>;

/// What waits for work asks now and then.
using Ready = std::function<bool(std::chrono::milliseconds)>;

/// Called without the GIL. In Python's main thread: begins the work in another one, and waits until
/// it has ended; where a signal's handler raises (KeyboardInterrupt), that is thrown at once, and
/// the work goes on, unheard. In another thread: does the work. Exceptions of the work are its own
/// business.
void work_interruptibly(Job job);
/// Waits for what another thread does; in Python's main thread as above.
void wait_interruptibly(const Ready& ready);
/// Before the interpreter goes: ends what goes on, behind the kernel that is being compiled. A
/// second signal ends the process.
void end_work();

/// An object that is destroyed with the GIL, wherever the last of its owners goes.
template <class T, class... Arguments>
std::shared_ptr<T> with_gil(Arguments&&... arguments) {
  return {new T(std::forward<Arguments>(arguments)...), [](T* object) {
            const nanobind::gil_scoped_acquire gil;
            delete object;
          }};
}

/// What the work gives, or throws.
template <class Work>
auto interruptibly(Work work) -> decltype(work()) {
  using Result = decltype(work());
  const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  auto result = task->get_future();
  work_interruptibly([task] { (*task)(); });
  return result.get();
}

}  // namespace imago::python
