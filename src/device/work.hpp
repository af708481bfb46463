// This file tells amounts of work apart by how much of a device they keep busy: what is fastest for
// one transform is not what is fastest for thousands.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/facts.hpp"

namespace imago::device {

enum class Work {
  few,   ///< most compute units have nothing to do: the time is that of one chain of instructions
  some,  ///< all have something, but not enough work-items to hide each other's latency
  full   ///< every compute unit has as many as it holds
};

/// Points of all transforms together from which on a device is full: with 8 for each work-item that
/// a GPU's compute units hold (2 million on an H200, which takes 8 us for them), with 1024 in each
/// of 16 lanes of a CPU's cores.
inline std::uint64_t filling_points(const Facts& facts) {
  constexpr std::uint64_t kItemPoints = 8, kCorePoints = 16 * 1024;
  const std::uint64_t each =
      facts.type == Type::cpu ? kCorePoints : kItemPoints * facts.compute_unit.items;
  return std::max(1u, facts.compute_units) * each;
}

inline Work work_of(std::uint64_t points, const Facts& facts) {
  constexpr std::uint64_t kFew = 64;  // so many times less: 256 points for each unit of an H200
  const std::uint64_t filling = filling_points(facts);
  if (points >= filling) return Work::full;
  return points >= filling / kFew ? Work::some : Work::few;
}

}  // namespace imago::device
