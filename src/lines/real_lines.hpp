// This file plans lines of real numbers.
#pragma once

#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// Sets the edge of a line with real numbers on one side and their half spectrum on the other. An
/// even number of real numbers is processed as pairs if kernels can fold them; otherwise each
/// becomes a complex number.
void make_real(Request& line, const LineContext& context);

/// Plans lines that are real on both sides. Two lines of one batch element become the parts of a
/// complex line, along the outermost loop that allows it. These are adjacent lines, or lines from
/// the two halves of the loop if points are adjacent. The last line of an odd number stays single,
/// and so does each line that no other one can join. `rows` are the loops along the batch element's
/// other transformed axes.
std::vector<Request> real_lines(const Request& line, const LineContext& context,
                                std::vector<Loop> loops, const std::vector<Loop>& rows);
/// Returns the request that computes each real line by itself.
Request single_reals(Request line, const std::vector<Loop>& loops, bool varies = false);

}  // namespace imago::lines
