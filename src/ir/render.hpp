// This file renders a kernel to OpenCL C 1.2; one with counters, to OpenCL C 2.0 or the features of
// 3.0 that are acquire, release and the scope of the device of atomics.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

std::string render(const Kernel& kernel);

}  // namespace imago::ir
