// This file plans lines of cosine and sine transforms.
#pragma once

#include <cstddef>
#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// The edge of an axis that is a cosine or sine transform.
kernel::Cosines cosines_of(const LineContext& context, std::size_t axis);

/// Whether one kernel can take the axis together with others like it: the work-group mapping, which
/// reorders their elements in local memory.
bool takes_several(const LineContext& context, std::size_t axis);

/// Returns the lines along the axes, whose kinds are cosine and sine transforms; the DFTs behind
/// them are forward ones in both directions. `rows`: the loops along the member's other transformed
/// axes.
std::vector<Request> cosine_lines(Request line, const LineContext& context,
                                  const std::vector<std::size_t>& axes,
                                  const std::vector<Loop>& loops, const std::vector<Loop>& rows);

}  // namespace imago::lines
