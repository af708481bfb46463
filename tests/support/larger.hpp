// This file compares errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace imago::test {

/// Returns the larger error, or NaN if one is NaN, which std::max() would pass over.
template <class Real>
Real larger(Real a, Real b) {
  const bool is_nan = std::isnan(a) || std::isnan(b);
  return is_nan ? std::numeric_limits<Real>::quiet_NaN() : std::max(a, b);
}

}  // namespace imago::test
