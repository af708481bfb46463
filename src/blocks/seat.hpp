// This file finds what each work-item of a work-group works on.
#pragma once

#include "blocks/frame.hpp"

namespace imago::blocks {

/// Where the transforms of a seat lie on one side.
struct SeatSide {
  ir::Value base;   ///< their first element
  ir::Value point;  ///< of the line, where the column begins; invalid: 0
};

/// What a work-item works on, for one of the two orders of items and columns.
struct Seat {
  ir::Value item;    ///< within the transform, 0 .. items-1
  ir::Value column;  ///< within the group's tile
  ir::Value active;  ///< invalid: always
  ir::Value phase;   ///< of the column; invalid without inter-kernel twiddle
  ir::Value number;  ///< of the column in a convolution; invalid: 0
  SeatSide in, out;
  ir::Value image_column;  ///< in Mirror::points, within the tile: where mirror images are
  ir::Value foremost;      ///< in Mirror::points: it holds point 0 of the line
};

ir::Value is_odd(ir::Value number);

/// That of an item and a column.
Seat seat_at(const Frame& frame, ir::Value item, ir::Value column);
/// The seat of the work-item that asks.
Seat seat_of(const Frame& frame, bool columns_fastest);

}  // namespace imago::blocks
