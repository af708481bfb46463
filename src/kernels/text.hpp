// This file gives the hand-written kernels of kernels/ as text: they are embedded when imago is
// built. It is a room of its own, so that everybody who runs such kernels has them from one place.
#pragma once

#include <string_view>

namespace imago::kernels {

/// The contents of kernels/<file>, or of a header of src/kernels. The text lives as long as the
/// program and ends with a zero.
std::string_view text(std::string_view file);

}  // namespace imago::kernels
