// This file declares what the functions of imago.h share. Those of tune.h have a message of their
// own, and use only structs.hpp.
#pragma once

#include <imago/imago.h>

#include <cstddef>

#include <imago/pool.hpp>
#include <imago/transform.hpp>

#include "base/thread_text.hpp"
#include "capi/structs.hpp"

namespace imago::capi {

/// Returns this thread's message of imago_last_error().
base::ThreadText& last_error();

/// Returns the device that the options choose, or the process's default for the precision. Throws
/// as find_device() and Pool.
Pool pool_of(const imago_options& options, Precision precision);

/// Stores the pointer that `make()` returns; null if the call fails.
template <class Handle, class Make>
imago_status create(Handle** result, const char* name, const Make& make) noexcept {
  if (result) *result = nullptr;
  return guarded(last_error(), [&] {
    Handle*& made = result_of(result, name);
    made = make();
  });
}

/// Returns the size that a member function of a C++ object in `handle` returns; 0 for null, and if
/// the function throws.
template <class Handle, class Object, class Get>
std::size_t size_of(const Handle* handle, Object Handle::*object, const Get& get) noexcept {
  std::size_t size = 0;
  if (handle) guarded(last_error(), [&] { size = ((handle->*object).*get)(); });
  return size;
}

}  // namespace imago::capi
