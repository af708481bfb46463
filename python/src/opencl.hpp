// This file checks the OpenCL calls of the Python package: an error code becomes a DeviceError.
#pragma once

#include <string>

#include <CL/opencl.hpp>

#include <imago/error.hpp>

namespace imago::python {

inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw DeviceError(std::string(call) + " failed with OpenCL error " + std::to_string(code),
                      code);
}

}  // namespace imago::python
