// This file finds the cosine axes of a kernel that arranges their elements in local memory.
#pragma once

#include "plan/planner.hpp"

namespace imago::plan {

/// Gives the step its cosine axes where it is the only kernel and arranges them.
void arrange_cosines(Step& step, const Request& request, const Parameters& parameters);

/// Lets work-items hold points together with their mirror images (Pass::coupled) next to where they
/// meet, if the numbers of butterflies allow: nothing is exchanged for it then.
void couple_images(Step& step);

/// Lets neighbouring work-items move neighbouring elements of mirrored columns (Pass::woven), where
/// none are idle.
void weave_elements(Step& step);

}  // namespace imago::plan
