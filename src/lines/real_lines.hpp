// This file plans lines of real numbers.
#pragma once

#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// Gives a line its edge where one side holds reals and the other their half spectrum: an even
/// number of them as pairs where kernels can fold them, else each as a complex number.
void make_real(Request& line, const LineContext& context);

/// Plans lines that are real on both sides. Two lines of one batch member become the parts of a
/// complex line, along the outermost loop that allows it (neighbouring lines; lines of either half
/// if points are neighbours), and the last of an odd number stays alone. All other lines stay
/// alone. `rows`: the loops along the member's other transformed axes.
std::vector<Request> real_lines(const Request& line, const LineContext& context,
                                std::vector<Loop> loops, const std::vector<Loop>& rows);
/// Each for itself.
Request single_reals(Request line, const std::vector<Loop>& loops);

}  // namespace imago::lines
