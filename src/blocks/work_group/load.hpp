// This file loads the points that a group's work-items hold before the first pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Returns the inputs of the butterflies of the first pass. The edge of the step computes these
/// points from elements in memory.
std::vector<Points> load(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                         const std::vector<Site>& sites);

}  // namespace imago::blocks
