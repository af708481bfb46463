// This file takes two transforms of the vector mapping at once where the points of one are too few
// for the widest vectors: 64 = 8 x 8 points fill vectors of 8, so vectors of 16 have 8 points of
// two neighbours. Each pass does for both what it did for one, with as many instructions.
#pragma once

#include "kernel/step.hpp"

namespace imago::plan {

/// Whether passes of these radices fill half of the vectors everywhere and, somewhere, no more.
bool fill_half(const std::vector<unsigned>& radices, unsigned lanes);

/// Two transforms at once, with lanes along their points, where that is possible.
void take_abreast(kernel::Step& step, unsigned lanes);

}  // namespace imago::plan
