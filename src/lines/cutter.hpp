// This file cuts a transform of any dimensions and layouts into lines, the requests that the
// planner makes kernels for.
#pragma once

#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// The lines of one direction, in launch order: along the last axis first and the first axis last
/// for the forward direction, the other way round for the inverse. Neighbouring packed axes that
/// fit one kernel together are one line, complex ones, or in the work-group mapping cosine axes of
/// II and III. The first line reads the input, the last one writes the output, those between work
/// in place. Of a wish, mapping and algorithm matter: other algorithms than a single kernel take
/// each axis for itself; convolutions, and in the vector mapping all others, each real number.
std::vector<Request> cut(const LineContext& context);

}  // namespace imago::lines
