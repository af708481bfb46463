// This file renders a kernel to OpenCL C 1.2, or to C. A kernel with counters needs OpenCL C 2.0,
// or these features of 3.0: acquire and release order, and device scope, of atomics.
#pragma once

#include <string>

#include "ir/kernel.hpp"
#include "ir/language.hpp"

namespace imago::ir {

std::string render(const Kernel& kernel, const Language& language = opencl_c());

}  // namespace imago::ir
