// This file lists the lengths that convolutions can have.
#pragma once

#include <cstdint>
#include <vector>

namespace imago::plan {

/// Lengths of convolutions in [least, 2 * least), the quickest first by a count of operations: the
/// products of primes up to 13, of which a power of two is always one.
std::vector<std::uint64_t> convolution_lengths(std::uint64_t least);

}  // namespace imago::plan
