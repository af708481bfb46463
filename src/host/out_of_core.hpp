// This file computes one direction of a transform by passes over host memory, each of some axes:
// where a device does not hold all of it, or where what it needs lies apart in memory.
#pragma once

#include <string>

#include "host/arrays.hpp"
#include "host/course.hpp"

namespace imago::host {

/// Why passes cannot compute it; empty: they can, as far as is known without the budget.
std::string why_no_passes(const Whole& whole);

/// The passes, as few as the budget allows. Throws Unsupported where it holds too little.
Course passes(const Whole& whole, bool inverse, const Budget& budget, Shapes& shapes);

}  // namespace imago::host
