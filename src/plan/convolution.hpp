// This file holds what the planner needs to know of a DFT that is computed as a convolution: its
// edge, and the lengths that the convolution can have.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/edges/convolved.hpp"
#include "plan/program.hpp"

namespace imago::plan {

/// The edge of the algorithm's convolution for a DFT of so many points; none of another algorithm.
Convolved convolved_by(Algorithm algorithm, std::uint64_t points);
bool is_convolution(Algorithm algorithm);

/// Lengths of convolutions in [least, 2 * least), the quickest first by a count of operations: the
/// products of primes up to 13, of which a power of two is always one.
std::vector<std::uint64_t> convolution_lengths(std::uint64_t least);

}  // namespace imago::plan
