// This file says which butterflies of a pass a work-item has, and where their legs lie among the
// points of the transform.
#pragma once

#include "blocks/exchange/held.hpp"
#include "blocks/lanes.hpp"
#include "blocks/work_group/work_item.hpp"

namespace imago::blocks {

/// Those of a work-item in a pass.
struct Butterflies {
  std::vector<Site> reads, writes;
  std::vector<ir::Value> digits;  ///< k
};
Butterflies butterflies_of(const Frame& frame, const WorkItem& item, const Geometry& geometry);

/// The legs of a butterfly in the order in which their elements are moved, which of a reversed
/// work-item begins with the last leg: neighbours move neighbouring elements.
Site as_moved(const WorkItem& item, Site site);
/// Values in the order of the legs, of such in the order in which they are moved; and back.
Points as_moved(const WorkItem& item, const Points& x);

}  // namespace imago::blocks
