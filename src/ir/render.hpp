// This file renders a kernel to OpenCL C 1.2.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

std::string render(const Kernel& kernel);

}  // namespace imago::ir
