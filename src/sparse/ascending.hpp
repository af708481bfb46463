// This file sorts indices, without comparisons that no branch predictor foresees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace imago::sparse {

/// Where the keys stand in ascending order; equal ones keep their order. Radix sort, least
/// significant byte first (Knuth, The Art of Computer Programming 3, 5.2.5).
std::vector<std::uint32_t> ascending(std::span<const std::uint64_t> keys);

}  // namespace imago::sparse
