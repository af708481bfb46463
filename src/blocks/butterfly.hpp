// This file holds the Butterfly block: the DFT of a few points that stay in registers.
#pragma once

#include "blocks/complex.hpp"

namespace imago::blocks {

/// Returns the forward DFT X[k] = sum_j x[j] exp(-2 pi i j k / n) of n = x.size() points; n is one
/// of kernel::all_radices().
Points butterfly(const Points& x);

}  // namespace imago::blocks
