// This file says what a pass's twiddle table holds: the planner lays tables out with it and the
// Twiddle block reads them with it.
#pragma once

#include <cstdint>

#include "plan/program.hpp"

namespace imago::plan {

/// Distance between the factors that are exact when the others are products of two: w^r = w^(r - r
/// % step)
/// * w^(r % step).
unsigned product_step(unsigned radix);

/// The section of a pass: all exponents 1 .. radix-1 (table), or the few whose pairwise products
/// give the others (product). No exponents for the other sources and for done == 1.
TwiddleSection section_of(const Pass& pass, Mapping mapping);

}  // namespace imago::plan
