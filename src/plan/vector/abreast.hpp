// This file makes a kernel of the vector mapping compute two transforms per vector if one has too
// few points for the widest vectors. For example, 64 = 8 x 8 points fill vectors of 8, so vectors
// of 16 hold 8 points of two adjacent transforms. Each pass processes both with the instructions
// that it needs for one.
#pragma once

#include "kernel/step.hpp"

namespace imago::plan {

/// Returns true if all passes of these radices can fill half of a vector, and at least one cannot
/// fill more.
bool fill_half(const std::vector<unsigned>& radices, unsigned lanes);

/// Computes two transforms per vector, with lanes along their points, if that is possible.
void take_abreast(kernel::Step& step, unsigned lanes);

}  // namespace imago::plan
