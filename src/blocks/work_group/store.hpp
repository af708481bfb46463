// This file stores the points that a group's work-items hold after the last pass.
#pragma once

#include "blocks/exchange/exchanger.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Loads the factors by which the output multiplies the elements at these points, so that they have
/// arrived when the elements are stored.
void load_factors(const Frame& frame, const WorkItem& item, const std::vector<Site>& sites);
/// Stores the points as elements, as the edge of the step requires.
void store(const Frame& frame, Exchanger& exchange, const WorkItem& item, Held held);

}  // namespace imago::blocks
