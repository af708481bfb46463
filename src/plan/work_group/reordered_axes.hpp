// This file finds the axes of a kernel whose elements are reordered in local memory, and
// distributes points so that partners are in the same work-item.
#pragma once

#include "plan/planner.hpp"

namespace imago::plan {

/// Sets the reordered axes of a step if it is the line's only kernel and the line needs them.
void reorder_axes(kernel::Step& step, const lines::Request& request, const Parameters& parameters);

/// Makes work-items hold points together with their partners (Pass::coupled), next to the pass that
/// joins them, if the numbers of butterflies allow it. This saves an exchange.
void couple_partners(kernel::Step& step);

/// Makes adjacent work-items move adjacent elements of mirrored columns (Pass::reversed), if no
/// work-item is idle.
void reverse_odd_columns(kernel::Step& step);

}  // namespace imago::plan
