// This file names the generator that this library was built from, so that kernels cached by another
// one are not used.
#pragma once

#include <string_view>

namespace imago::engine {

/// A hash of the sources of src/base, src/ir, src/plan and src/blocks and of kernels/ (which has
/// them with what they share with the host in src/kernels), taken when
/// they are compiled.
std::string_view generator_version();

}  // namespace imago::engine
