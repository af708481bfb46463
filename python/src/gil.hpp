// This file releases and acquires the GIL, Python's lock. At the end of the interpreter,
// Python 3.13 and earlier end every other thread that wants the lock, by unwinding its stack. That
// aborts the process, because destructors and nanobind stop exceptions. Here such a thread sleeps
// until the process has ended, as Python 3.14 makes it do.
#pragma once

#include <nanobind/nanobind.h>

namespace imago::python {

/// Releases the GIL during its lifetime: the thread is in the library or a driver.
class Released {
 public:
  Released();
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* const state_;
};

/// Acquires the GIL for its lifetime, in any thread.
class Acquired {
 public:
  Acquired();
  ~Acquired();
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Waits until no thread is in the library. Call it at the end of the process: drivers do not
/// survive calls during their own clean-up.
void wait_for_released() noexcept;

/// Records Python's main thread. Called with the GIL, when the package is imported, and in a forked
/// child, where only the calling thread exists.
void find_main_thread();
/// True in Python's main thread, the only one that receives signals. Needs no GIL.
bool in_main_thread() noexcept;

}  // namespace imago::python
