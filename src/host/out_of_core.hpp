// This file plans one direction of a transform as passes over host memory, each over some axes. It
// is for devices that do not hold the whole array, and for data with gaps in memory.
#pragma once

#include <string>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// Returns the reason why passes cannot compute the transform; empty if they can, as far as is
/// known without the budget.
std::string why_no_passes(const Whole& whole);

/// Returns as few passes as the budget allows. Throws Unsupported if the budget is too small.
PassSchedule passes(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes);

}  // namespace imago::host
