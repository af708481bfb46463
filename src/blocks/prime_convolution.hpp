// This file computes the DFT of a large prime length in registers, as a cyclic convolution.
#pragma once

#include "blocks/complex.hpp"

namespace imago::blocks {

/// Returns true for the primes whose DFT needs fewer operations as a convolution.
bool suits_convolution(unsigned prime);

/// Returns the forward DFT of x.size() points, an odd prime.
Points prime_convolution(const Points& x);
/// Returns the same by loops over points in memory of the work-item, whose text is shorter.
Points stored_prime_convolution(const Points& x);

}  // namespace imago::blocks
