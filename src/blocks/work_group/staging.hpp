// This file moves the packed block of a work-group as it lies in memory, neighbours by neighbours,
// through local memory, where each work-item has a whole transform (kernel::WorkGroup::staged).
#pragma once

#include "blocks/complex.hpp"
#include "blocks/frame.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// The points of the work-item's transform, in their order.
Points stage_in(const Frame& frame, const WorkItem& item);
/// The way back, through as_stored. Every work-item writes where it has read: no barrier is needed
/// before.
void stage_out(const Frame& frame, const WorkItem& item, const Points& points);

}  // namespace imago::blocks
