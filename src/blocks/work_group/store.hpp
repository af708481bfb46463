// This file stores what the work-items of a group have behind the last pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Makes elements in memory of the points, as the edge of the step asks.
void store(const Frame& frame, Exchanger& exchange, const WorkItem& item, Held held);

}  // namespace imago::blocks
