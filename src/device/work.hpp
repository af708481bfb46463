// This file classifies amounts of work by how much of a device they keep busy, because the fastest
// kernels for one transform are not the fastest for thousands.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/facts.hpp"

namespace imago::device {

enum class Work {
  few,   ///< most compute units are idle: one chain of instructions takes the time
  some,  ///< all compute units are busy, but with too few work-items to hide latency
  full   ///< every compute unit has as many work-items as it can hold
};

/// Returns the number of points, of all transforms together, that loads a device fully. It counts 8
/// points for each work-item that a GPU's compute units hold (2 million on an H200, which needs 8
/// us for them), and 1024 for each of 16 lanes of a CPU's cores.
inline std::uint64_t filling_points(const Facts& facts) {
  constexpr std::uint64_t kItemPoints = 8, kCorePoints = 16 * 1024;
  const std::uint64_t each =
      facts.type == Type::cpu ? kCorePoints : kItemPoints * facts.compute_unit.items;
  return std::max(1u, facts.compute_units) * each;
}

inline Work work_of(std::uint64_t points, const Facts& facts) {
  constexpr std::uint64_t kFew =
      64;  // this fraction of the filling points: 256 points per unit of an H200
  const std::uint64_t filling = filling_points(facts);
  if (points >= filling) return Work::full;
  return points >= filling / kFew ? Work::some : Work::few;
}

}  // namespace imago::device
