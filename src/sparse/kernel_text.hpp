// This file gives the hand-written kernels of kernels/ as text: they are embedded when imago is
// built.
#pragma once

#include <string_view>

namespace imago::sparse {

/// The contents of kernels/<file>, or of attempt.h. The text lives as long as the program.
std::string_view kernel_text(std::string_view file);

}  // namespace imago::sparse
