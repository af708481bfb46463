// This file plans lines of real numbers.
#pragma once

#include <vector>

#include "plan/line_context.hpp"

namespace imago::plan {

/// Gives a line its edge where one side holds reals and the other their half spectrum: an even
/// number of them as pairs where kernels can fold them, else each as a complex number.
void make_real(Request& line, const LineContext& context);

/// Lines that are real on both sides: two as the parts of complex ones, along the outermost loop
/// whose extent allows (neighbours; halves where it is points that are neighbours), and the last of
/// an odd number for itself; or each for itself.
std::vector<Request> real_lines(const Request& line, const LineContext& context,
                                std::vector<Loop> loops);
/// Each for itself.
Request single_reals(Request line, const std::vector<Loop>& loops);

}  // namespace imago::plan
