// This file combines points of a line, or elements, with their partners in the work-group mapping:
// number p with number n - p, and 0 with itself.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Calls use(i, s, partner) for every point that is held after the last pass.
void with_partners_of_points(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                             const Held& held, const Exchanger::Use& use);
/// Calls use(i, r, partner) for every element that is held; all elements go through local memory.
void with_partners_in_memory(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                             const Held& held, const Exchanger::Use& use);

}  // namespace imago::blocks
