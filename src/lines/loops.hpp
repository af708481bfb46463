// This file gives a line its batch loops.
#pragma once

#include <vector>

#include "lines/request.hpp"

namespace imago::lines {

/// The loops, fewest strides first, dimensions that follow each other in both memories as one.
std::vector<Loop> merged(std::vector<Loop> loops);

/// Gives the line these loops. The outermost becomes the batch, whose extent is not compiled,
/// unless its lines are neighbours: then kernels want to know. Throws Unsupported for more lines
/// than kernels count.
void set_loops(Request& request, std::vector<Loop> loops);

}  // namespace imago::lines
