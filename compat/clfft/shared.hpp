// This file makes wrappers of OpenCL objects that have other owners. The copies of opencl.hpp do
// not report if OpenCL rejects the reference, and release it nevertheless.
#pragma once

#include <CL/opencl.hpp>

#include "status.hpp"

namespace imago::clfft {

inline cl_int retain(cl_context object) { return clRetainContext(object); }
inline cl_int retain(cl_command_queue object) { return clRetainCommandQueue(object); }
inline cl_int retain(cl_mem object) { return clRetainMemObject(object); }
inline cl_int retain(cl_event object) { return clRetainEvent(object); }

/// Returns a wrapper with a new reference. Throws if OpenCL rejects it.
template <class Wrapper>
Wrapper shared(typename Wrapper::cl_type object) {
  base::use_driver();
  require_success(retain(object), "clRetain");
  return Wrapper(object);
}

}  // namespace imago::clfft
