// This file returns the hand-written kernels of kernels/ as text, which the build embeds. They are
// a module of their own, so that all modules that run such kernels get them here.
#pragma once

#include <string_view>

namespace imago::kernels {

/// Returns the contents of kernels/<file>, or of a header of src/kernels. The text is static and
/// ends with a zero.
std::string_view text(std::string_view file);

}  // namespace imago::kernels
