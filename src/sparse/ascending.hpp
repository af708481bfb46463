// This file sorts tones, without comparisons that no branch predictor foresees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/reading.hpp"

namespace imago::sparse {

/// Where the tones stand in ascending order of their frequencies; equal ones keep their order.
/// Radix sort, least significant digit first (Knuth, The Art of Computer Programming 3, 5.2.5).
std::vector<std::uint32_t> ascending(std::span<const Tone> tones);

}  // namespace imago::sparse
