// This file sorts tones by a radix sort, which has none of a comparison sort's unpredictable
// branches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/reading.hpp"

namespace imago::sparse {

/// Returns the indices of the tones in ascending order of frequency; equal ones keep their order.
/// Radix sort, least significant digit first (Knuth, The Art of Computer Programming 3, 5.2.5).
std::vector<std::uint32_t> ascending(std::span<const Tone> tones);

}  // namespace imago::sparse
