// This file identifies the generator in this library, so that kernels cached by another one are not
// used.
#pragma once

#include <string_view>

namespace imago::engine {

/// Returns a hash of the sources that generate kernels, computed when they are compiled: src/base,
/// src/ir, src/kernel, src/blocks, src/kernels, kernels/, and the checks of users' code in
/// src/problem.
std::string_view generator_version();

}  // namespace imago::engine
