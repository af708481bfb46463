// This file computes which part of a work-group's data each work-item processes.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// The place of a work-item's transforms on one side.
struct WorkItemSide {
  ir::Value base;   ///< index of their first element
  ir::Value point;  ///< point of the line at which the column begins; not valid: 0
};

/// The part that a work-item processes, for one of the two orders of items and columns.
struct WorkItem {
  ir::Value index;                                 ///< within the transform, 0 .. items-1
  ir::Value column;                                ///< within the group's tile
  ir::Condition active = ir::Condition::always();  ///< the column exists
  ir::Value phase;   ///< phase of the column; not valid without four-step twiddle
  ir::Value number;  ///< number of the column in a convolution; not valid: 0
  WorkItemSide in, out;
  ir::Value partner_column;  ///< Mirror::points: column of the partners, within the tile
  /// It may hold point 0 of the line; with Mirror::points one item of each pair does.
  ir::Condition holds_first = ir::Condition::always();
  /// It processes butterflies and legs in reverse order.
  ir::Condition reversed = ir::Condition::never();
};

/// Returns the work item with an index and a column.
WorkItem work_item_at(const Frame& frame, ir::Value index, ir::Value column);
/// Returns the executing work-item, in a pass.
WorkItem this_work_item(const Frame& frame, const kernel::Pass& pass);

}  // namespace imago::blocks
