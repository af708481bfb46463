// This file renders the text before a kernel's statements, for the renderer.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Returns the extensions, macros, types and functions that the kernel needs.
std::string preamble(const Kernel& kernel);
/// Returns the signature, including the opening brace.
std::string signature(const Kernel& kernel);
/// Returns the local and private memories that the kernel uses.
std::string arrays(const Kernel& kernel);

}  // namespace imago::ir
