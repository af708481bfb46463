// This file loads the points that a group's work-items hold before the first pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Returns the points at the legs of the first pass, which the edge of the step makes of elements
/// in memory.
std::vector<Points> load(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                         const std::vector<Site>& sites);

}  // namespace imago::blocks
