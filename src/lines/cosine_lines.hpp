// This file plans lines of cosine and sine transforms.
#pragma once

#include <cstddef>
#include <vector>

#include "lines/line_context.hpp"

namespace imago::lines {

/// Returns the edge of an axis that is a cosine or sine transform.
kernel::Cosines cosines_of(const LineContext& context, std::size_t axis);

/// Returns true if one kernel can process the axis together with similar ones. Only the work-group
/// mapping can, by reordering their elements in local memory.
bool takes_several(const LineContext& context, std::size_t axis);

/// Returns the lines along the axes, whose kinds are cosine and sine transforms. Their DFTs are
/// forward DFTs in both directions. `rows` are the loops along the batch element's other
/// transformed axes.
std::vector<Request> cosine_lines(Request line, const LineContext& context,
                                  const std::vector<std::size_t>& axes,
                                  const std::vector<Loop>& loops, const std::vector<Loop>& rows);

}  // namespace imago::lines
