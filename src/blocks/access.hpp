// This file describes one access to memory: which numbers it moves, and under which condition.
#pragma once

#include <cstdint>

#include "blocks/complex.hpp"

namespace imago::blocks {

/// Lanes of a value in memory: lane l is l * apart elements after lane 0.
struct Spread {
  unsigned width = 1;
  std::uint64_t apart = 1;
  bool along_line = false;  ///< true if the lanes are elements of one line
};

/// The two numbers of a pair, if they are neighbours in a line.
inline constexpr Spread kNeighbours{.width = 2, .apart = 1, .along_line = true};

/// A point: number `p` of its line. `index` is the index of its element, in elements of the side;
/// for cosine and sine transforms, the index of the line's element 0.
struct Point {
  ir::Value index, p;
  Cx root = {};  ///< the factor of p, if it is already computed
};

/// An access: its lanes and an optional condition. A condition requires width 1; if it is false,
/// the value is zero.
struct Access {
  Spread spread = {};
  ir::Condition condition = ir::Condition::always();
};

}  // namespace imago::blocks
