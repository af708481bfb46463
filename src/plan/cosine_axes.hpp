// This file finds the cosine axes of a kernel that arranges their elements in local memory.
#pragma once

#include "plan/planner.hpp"

namespace imago::plan {

/// Gives the step its cosine axes where it is the only kernel and arranges them.
void arrange_cosines(Step& step, const Request& request, const Parameters& parameters);

}  // namespace imago::plan
