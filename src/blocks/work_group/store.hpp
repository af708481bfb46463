// This file stores what the work-items of a group have behind the last pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Loads what hooks multiply the elements at these points with, so that it is there when they are
/// stored.
void load_factors(const Frame& frame, const WorkItem& item, const std::vector<Site>& sites);
/// Makes elements in memory of the points, as the edge of the step asks.
void store(const Frame& frame, Exchanger& exchange, const WorkItem& item, Held held);

}  // namespace imago::blocks
