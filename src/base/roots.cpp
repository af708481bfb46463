// This file computes roots of unity, correctly rounded to double for tables.
#include "base/roots.hpp"

#include <cmath>
#include <numbers>

namespace imago::base {

std::complex<double> root_of_unity(std::uint64_t phase, std::uint64_t order) {
  phase %= order;
  // 8 phase / order = octant + rest / order, all exact.
  const std::uint64_t octant = 8 * phase / order;
  std::uint64_t rest = 8 * phase - octant * order;
  if (octant & 1) rest = order - rest;  // angle measured back from the next axis
  const long double angle = std::numbers::pi_v<long double> / 4 * static_cast<long double>(rest) /
                            static_cast<long double>(order);
  const auto c = static_cast<double>(std::cos(angle));
  const auto s = static_cast<double>(std::sin(angle));
  switch (octant) {
    case 0:
      return {c, -s};
    case 1:
      return {s, -c};
    case 2:
      return {-s, -c};
    case 3:
      return {-c, -s};
    case 4:
      return {-c, s};
    case 5:
      return {-s, c};
    case 6:
      return {s, c};
    default:
      return {c, s};
  }
}

}  // namespace imago::base
