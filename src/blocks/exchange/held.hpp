// This file defines the values in a work-item's registers, and their places in the transform.
#pragma once

#include <cstdint>
#include <vector>

#include "blocks/complex.hpp"

namespace imago::blocks {

/// The legs (inputs or outputs) of one butterfly, or other points of a work-item: first, first +
/// stride, ...
struct Site {
  ir::Condition active = ir::Condition::always();  ///< butterfly and column exist
  ir::Condition busy = ir::Condition::always();    ///< butterfly exists
  ir::Value column;
  std::int64_t stride = 1;  ///< between consecutive points
  std::vector<ir::Value> points = {};
};

/// The values at the sites of a work-item: values[i] belongs to site i.
struct Held {
  std::vector<Points> values;
  std::vector<Site> at;
};

}  // namespace imago::blocks
