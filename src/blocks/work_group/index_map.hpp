// This file computes which butterflies of a pass a work-item has, and the points of their legs, the
// inputs and outputs.
#pragma once

#include "blocks/exchange/held.hpp"
#include "blocks/lanes.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// The butterflies of a work-item in a pass: the points that each reads and writes, and its
/// finished digit.
struct Butterflies {
  std::vector<Site> reads, writes;
  std::vector<ir::Value> digits;
};
Butterflies butterflies_of(const Frame& frame, const WorkItem& item, const Geometry& geometry);

/// Returns the legs of a butterfly in the order in which their elements are moved. A reversed
/// work-item begins with the last leg, so that adjacent work-items move adjacent elements.
Site as_moved(const WorkItem& item, Site site);
/// Converts values between the order of legs and the order in which they are moved, in both
/// directions.
Points as_moved(const WorkItem& item, const Points& x);

}  // namespace imago::blocks
