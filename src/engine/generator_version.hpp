// This file identifies the generator in this library, so that results cached by another one are not
// used.
#pragma once

#include <string_view>

namespace imago::engine {

/// Returns a hash of the sources on which the texts of generated kernels and the contents of tables
/// depend (CMakeLists.txt has the list).
std::string_view generator_version();

/// Returns a hash of these sources and of those that choose kernels.
std::string_view chooser_version();

}  // namespace imago::engine
