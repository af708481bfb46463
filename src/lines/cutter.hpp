// This file divides a transform of any dimensions and layouts into lines, the requests for which
// the planner makes kernels.
#pragma once

#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// Returns the lines of one direction, in launch order: from the last to the first axis for the
/// forward direction, from the first to the last axis for the inverse. Adjacent packed axes that
/// fit into one kernel together are one line; in the work-group mapping this includes cosine axes
/// of II and III. The first line reads the input, the last one writes the output, and the others
/// work in place. Only mapping and algorithm of a wish matter. Algorithms other than a single
/// kernel process each axis separately. Convolutions process each real number as a complex one; so
/// do all algorithms with several kernels in the vector mapping.
std::vector<Request> cut(const LineContext& context);

}  // namespace imago::lines
