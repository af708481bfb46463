// This file keeps a forked process away from the drivers that its parent used: the drivers' threads
// and locks do not survive a fork, and a call that needs them would wait for ever.
#pragma once

#include <memory>
#include <utility>

namespace imago::python {

/// Marks that this process uses a driver. Throws Error if it was forked from one that did before.
void use_driver();
/// True if this process was forked from one that used a driver.
bool driver_is_lost();

/// Calls use_driver() before a function that Python calls (nanobind::call_guard).
struct UsesDriver {
  UsesDriver() { use_driver(); }
};

/// Deletes an object, except in a forked process: its destructor would call the lost driver.
struct Leave {
  template <class T>
  void operator()(T* object) const {
    if (!driver_is_lost()) delete object;
  }
};

/// An object that holds objects of a driver.
template <class T>
using Owned = std::unique_ptr<T, Leave>;

template <class T, class... Arguments>
Owned<T> owned(Arguments&&... arguments) {
  return Owned<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace imago::python
