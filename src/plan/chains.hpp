// This file joins launches into chains (kernel::Launch::chained). The work-groups of a chain
// transform their part of the batch, or of a slow axis, along several axes before they begin the
// next one. A part that stays in a core's caches is then read from memory once, not once for each
// axis.
#pragma once

#include <vector>

#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::plan {

/// Chains launches of consecutive programs on CPUs, where each work-group needs no results of
/// others, the parts fit the caches, and there are enough parts for all compute units. Changes only
/// kernels of the vector mapping, and of these only the number of tiles per work-item.
void chain(const std::vector<kernel::Program*>& programs, Placement placement,
           const device::Facts& facts);

}  // namespace imago::plan
