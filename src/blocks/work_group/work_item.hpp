// This file finds what each work-item of a work-group works on.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Where the transforms of a work-item lie on one side.
struct WorkItemSide {
  ir::Value base;   ///< their first element
  ir::Value point;  ///< of the line, where the column begins; invalid: 0
};

/// What a work-item works on, for one of the two orders of items and columns.
struct WorkItem {
  ir::Value index;   ///< within the transform, 0 .. items-1
  ir::Value column;  ///< within the group's tile
  ir::Value active;  ///< the column exists; invalid: always
  ir::Value phase;   ///< of the column; invalid without inter-kernel twiddle
  ir::Value number;  ///< of the column in a convolution; invalid: 0
  WorkItemSide in, out;
  ir::Value partner_column;  ///< in Mirror::points, within the tile: where partners are
  ir::Value holds_first;     ///< in Mirror::points: it holds point 0 of the line
  ir::Value reversed;        ///< it takes butterflies and legs from the last one on; invalid: never
};

/// That of an index and a column.
WorkItem work_item_at(const Frame& frame, ir::Value index, ir::Value column);
/// The one that asks, in a pass.
WorkItem this_work_item(const Frame& frame, const kernel::Pass& pass);

}  // namespace imago::blocks
