// This file finds the axes of a kernel whose elements are reordered in local memory, and lets
// work-items hold what belongs together.
#pragma once

#include "plan/planner.hpp"

namespace imago::plan {

/// Gives the step its reordered axes where it is the only kernel and reorders them.
void reorder_axes(kernel::Step& step, const lines::Request& request, const Parameters& parameters);

/// Lets work-items hold points together with their partners (Pass::coupled) next to where they
/// meet, if the numbers of butterflies allow: nothing is exchanged for it then.
void couple_partners(kernel::Step& step);

/// Lets neighbouring work-items move neighbouring elements of mirrored columns (Pass::reversed),
/// where none are idle.
void reverse_odd_columns(kernel::Step& step);

}  // namespace imago::plan
