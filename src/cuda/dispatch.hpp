// This file keeps exceptions inside of this driver. OpenCL's loader is C, and so may the caller be.
#pragma once

#include <new>
#include <type_traits>

#include <CL/cl.h>

#include "cuda/objects.hpp"

namespace imago::cuda {

/// Stores a code where functions that return a handle have it: in the last argument of its type.
template <class... Arguments>
void store(cl_int code, Arguments... arguments) {
  cl_int* result = nullptr;
  const auto keep = [&](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), cl_int*>) result = argument;
  };
  (keep(arguments), ...);
  if (result) *result = code;
}

/// Fails as OpenCL's functions do: returns the code, or null and stores it.
template <class Result, class... Arguments>
Result fail([[maybe_unused]] cl_int code, [[maybe_unused]] Arguments... arguments) {
  if constexpr (std::is_same_v<Result, cl_int>) {
    return code;
  } else if constexpr (!std::is_void_v<Result>) {
    store(code, arguments...);
    return nullptr;
  }
}

/// A function of the table, whose exceptions are codes of OpenCL. If it returns a handle, the code
/// of success is stored, too.
template <auto function, class Result, class... Arguments>
Result CL_API_CALL guarded(Arguments... arguments) noexcept {
  try {
    if constexpr (!std::is_same_v<Result, cl_int>) store(CL_SUCCESS, arguments...);
    return function(arguments...);
  } catch (const Failure& failure) {
    return fail<Result>(failure.code, arguments...);
  } catch (const std::bad_alloc&) {
    return fail<Result>(CL_OUT_OF_HOST_MEMORY, arguments...);
  } catch (...) {
    return fail<Result>(CL_OUT_OF_RESOURCES, arguments...);
  }
}

}  // namespace imago::cuda
