// This file names an element of a field for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace imago::base {

/// Returns for example "lengths[2]".
inline std::string indexed(std::string_view name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

}  // namespace imago::base
