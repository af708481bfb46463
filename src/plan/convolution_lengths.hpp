// This file lists the possible lengths of convolutions.
#pragma once

#include <cstdint>
#include <vector>

namespace imago::plan {

/// Returns the lengths of convolutions in [least, 2 * least), the fastest first by a count of
/// operations. They are products of primes up to 13; one of them is a power of two.
std::vector<std::uint64_t> convolution_lengths(std::uint64_t least);

}  // namespace imago::plan
