// This file says what a pass's twiddle table holds: the planner lays tables out with it and the Twiddle
// block reads them with it.
#pragma once

#include <cstdint>

#include "plan/program.hpp"

namespace imago::plan {

/// The section of a pass whose sub-transforms have `done` points: all exponents 1 .. radix-1 (table),
/// or the few whose pairwise products give the others (product: 1 .. 3 and the multiples of 4 for
/// radices above 8, else 1 and the even ones). No exponents for the other sources and for done == 1.
TwiddleSection section_of(const Pass& pass, std::uint64_t done, Mapping mapping);

}  // namespace imago::plan
