// This file defines the part of the canon that decides how a transform is cut into lines. The canon
// is the arithmetic of reproducible plans (Options::reproducible): which numbers are added and
// multiplied, and in which order. It depends on the kind, the lengths and the precision alone.
#pragma once

#include <cstdint>

#include <imago/transform.hpp>

namespace imago::lines {

/// Version of the canon, which Plan::describe() prints. Results have other bits if it changes.
inline constexpr unsigned kCanon = 1;

/// Returns the longest line that the canon computes in one kernel. One part of its points, the real
/// or the imaginary numbers, fits 32 KiB of local memory, which every device has.
std::uint64_t longest_of_canon(Precision precision);

/// Returns true if one kernel of the canon holds a whole line of so many points, without a
/// convolution.
bool canon_takes_whole(std::uint64_t points, Precision precision);

}  // namespace imago::lines
