// This file sets the batch loops of a line.
#pragma once

#include <vector>

#include "lines/request.hpp"

namespace imago::lines {

/// Returns the loops sorted by stride; dimensions that are contiguous in both memories become one
/// loop.
std::vector<Loop> merged(std::vector<Loop> loops);

/// Sets the loops of the line. The outermost loop becomes the batch, whose extent is not compiled
/// into kernels. It does not if its lines are adjacent in memory, because kernels compute these
/// together, unless the batch varies (Problem::varies). Throws Unsupported for more lines than
/// kernels can count.
void set_loops(Request& request, std::vector<Loop> loops, bool varies = false);

}  // namespace imago::lines
