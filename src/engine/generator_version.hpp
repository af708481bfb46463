// This file identifies the generator in this library, so that kernels cached by another one are not
// used.
#pragma once

#include <string_view>

namespace imago::engine {

/// Returns a hash of the sources that generate kernels, computed when they are compiled: src/base,
/// src/ir, src/plan, src/blocks and kernels/ (with the code in src/kernels that they share with the
/// host).
std::string_view generator_version();

}  // namespace imago::engine
