// This file holds what a work-item has in its registers, and where in the transform that belongs.
#pragma once

#include <cstdint>
#include <vector>

#include "blocks/complex.hpp"

namespace imago::blocks {

/// Legs of one butterfly, or other points that a work-item has: first, first + stride, ...
struct Site {
  ir::Value active;  ///< butterfly and column exist
  ir::Value busy;    ///< butterfly exists
  ir::Value column;
  std::int64_t stride = 1;  ///< from point to point
  std::vector<ir::Value> points = {};
};

/// The values at the sites of a work-item: those of site i are values[i].
struct Held {
  std::vector<Points> values;
  std::vector<Site> at;
};

}  // namespace imago::blocks
