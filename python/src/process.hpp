// This file prevents a forked process from using the drivers of its parent. The drivers' threads
// and locks do not survive a fork, so a call that needs them would wait forever.
#pragma once

#include <memory>
#include <utility>

namespace imago::python {

/// Marks that this process uses a driver. Throws Error if its parent process used one before the
/// fork.
void use_driver();
/// Returns true if the parent process used a driver before the fork.
bool driver_is_lost();

/// Calls a function when the calling thread ends the process, if other threads still run then.
void call_at_exit(void (*function)());

/// Calls use_driver() before a function that Python calls (nanobind::call_guard).
struct UsesDriver {
  UsesDriver() { use_driver(); }
};

/// Deletes an object, except in a forked process, where its destructor would call the lost driver.
struct Leave {
  template <class T>
  void operator()(T* object) const {
    if (!driver_is_lost()) delete object;
  }
};

/// A pointer to an object that holds objects of a driver.
template <class T>
using Owned = std::unique_ptr<T, Leave>;

template <class T, class... Arguments>
Owned<T> owned(Arguments&&... arguments) {
  return Owned<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace imago::python
