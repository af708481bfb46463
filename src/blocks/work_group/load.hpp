// This file loads what the work-items of a group have in front of the first pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// The points at the legs of the first pass, as the edge of the step makes them of elements in
/// memory.
std::vector<Points> load(const Frame& frame, Exchanger& exchange, const WorkItem& item,
                         const std::vector<Site>& sites);

}  // namespace imago::blocks
