// This file makes wrappers of OpenCL objects that others have, too. opencl.hpp's own copies do not
// report that OpenCL refused the reference, and release it nevertheless.
#pragma once

#include <CL/opencl.hpp>

#include "status.hpp"

namespace imago::clfft {

inline cl_int retain(cl_context object) { return clRetainContext(object); }
inline cl_int retain(cl_command_queue object) { return clRetainCommandQueue(object); }
inline cl_int retain(cl_mem object) { return clRetainMemObject(object); }
inline cl_int retain(cl_event object) { return clRetainEvent(object); }

/// Returns a wrapper with a reference of its own. Throws where OpenCL gives none.
template <class Wrapper>
Wrapper shared(typename Wrapper::cl_type object) {
  require_success(retain(object), "clRetain");
  return Wrapper(object);
}

}  // namespace imago::clfft
