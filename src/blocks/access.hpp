// This file says which numbers are moved between memory and a kernel at a time, and when.
#pragma once

#include <cstdint>

#include "blocks/complex.hpp"

namespace imago::blocks {

/// Lanes of a value in memory: lane l lies l * apart elements behind lane 0.
struct Spread {
  unsigned width = 1;
  std::uint64_t apart = 1;
  bool along_line = false;  ///< lanes are elements of one line
};

/// A point: number `p` of its line, whose element lies at `index`, in elements of the side; for
/// cosine and sine transforms the line's element 0.
struct Point {
  ir::Value index, p;
  Cx root = {};  ///< the factor of p, where it is at hand
};

/// How something is loaded: its lanes, and a condition, which asks for width 1 and makes zero of
/// what it is not met for.
struct Access {
  Spread spread = {};
  ir::Value condition = {};
};

}  // namespace imago::blocks
