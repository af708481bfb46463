// This file plans one direction of a transform as passes over host memory, each of some axes: for a
// device that does not hold all of it, or for data that lies apart in memory.
#pragma once

#include <string>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// Returns why passes cannot compute it; empty: they can, as far as is known without the budget.
std::string why_no_passes(const Whole& whole);

/// Returns the passes, as few as the budget allows. Throws Unsupported if it holds too little.
PassSchedule passes(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes);

}  // namespace imago::host
