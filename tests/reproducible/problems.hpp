// This file declares the problems whose bits are recorded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::bits {

struct Problem {
  std::string name;  ///< kind, precision, lengths and norm
  Transform transform;
  std::size_t window = 0;  ///< numbers of the argument "window" of hooks; 0: none
};

/// Returns the problems, each with a batch of 1 and packed arrays.
std::vector<Problem> problems();

}  // namespace imago::bits
