// This file enqueues the plans of one call one after the other.
#pragma once

#include <span>
#include <vector>

#include <CL/opencl.hpp>
#include <imago/plan.hpp>

#include "api/execution.hpp"
#include "runtime/opencl.hpp"

namespace imago::api {

/// Returns a wrapper with its own reference. Throws if OpenCL fails to retain the object; copies of
/// opencl.hpp's wrappers do not report that.
template <class Wrapper>
Wrapper shared(typename Wrapper::cl_type object) {
  if (!object) return Wrapper();
  return Wrapper(runtime::Handle<typename Wrapper::cl_type>::shared(object).take(), false);
}
Argument copy_of(const Argument& argument);

/// One plan of a call, which runs out of place.
struct Step {
  const Execution& execution;
  bool inverse;
  Array from, to;
  std::vector<Argument> own = {};  ///< arguments that the calling plan supplies
  bool callers = true;             ///< it also takes the arguments of the call
};

/// A part of an array that becomes zero, in bytes; the same part of both buffers of a planar array.
struct Cleared {
  const Array& array;
  std::size_t offset = 0, bytes = 0;
};

/// Enqueues the steps, on in-order and out-of-order queues, after `cleared` if it is not null.
/// Checks all of them before the first one runs. Throws as Plan::forward().
void enqueue(const cl::CommandQueue& queue, const Call& call, std::span<const Step> steps,
             const Cleared* cleared = nullptr);

}  // namespace imago::api
