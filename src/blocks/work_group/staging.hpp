// This file moves the packed block of a work-group between global memory and work-items that each
// hold a whole transform (kernel::WorkGroup::staged). The block goes through local memory, so that
// adjacent work-items access adjacent elements.
#pragma once

#include "blocks/complex.hpp"
#include "blocks/frame.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Returns the points of the work-item's transform, in their order.
Points stage_in(const Frame& frame, const WorkItem& item);
/// Stores the points, through as_stored(). Every work-item writes to the places that it read, so no
/// barrier is needed before.
void stage_out(const Frame& frame, const WorkItem& item, const Points& points);

}  // namespace imago::blocks
