// This file renders what stands in front of a kernel's statements, for the renderer.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Extensions, macros, types and functions that the kernel needs.
std::string preamble(const Kernel& kernel);
/// Up to the brace behind the arguments.
std::string signature(const Kernel& kernel);
/// The local and private memories that the kernel uses.
std::string arrays(const Kernel& kernel);

}  // namespace imago::ir
