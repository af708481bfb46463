// This file executes passes whose points are in local memory (Exchange::in_place). A work-item
// holds one butterfly at a time and writes its points where it read them, so the registers limit
// the radix, not the length.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/lanes.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Executes one pass. The first one loads its points from global memory, the last one stores them
/// there.
void pass_in_place(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                   const Geometry& geometry, const Body& radix);

}  // namespace imago::blocks
