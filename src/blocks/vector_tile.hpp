// This file holds what the vector mapping's parts share: the scratch of a work-item and the tile of
// columns that it works on.
#pragma once

#include <cstdint>

#include "ir/builder.hpp"

namespace imago::blocks {

inline std::int64_t to_signed(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// i * step, moved back at the end so that the last vector ends at `extent` (passes and copies are
/// out of place).
inline ir::Value along(ir::Builder& b, ir::Value i, unsigned step, std::uint64_t extent) {
  const ir::Value at = i * std::int64_t{step};
  return extent % step == 0
             ? at
             : b.binary(ir::Op::min, at, b.integer(to_signed(extent) - std::int64_t{step}));
}

/// Private memory for two stages of a transform, used in turn.
struct Scratch {
  ir::MemoryId re[2], im[2];
  ir::MemoryId lone_re, lone_im;  ///< Rader's element 0, one per column; on its way out, its result
};

/// Where a tile of columns lies on one side, in elements.
struct TileSide {
  ir::Value base;
  ir::Value stride;              ///< from column to column
  ir::Value point;               ///< of the line, where the columns begin; invalid: 0
  std::uint64_t point_step = 0;  ///< of the line, from column to column
  bool adjacent = false;         ///< neighbouring columns are neighbouring elements
};

/// A tile of columns.
struct Tile {
  TileSide in, out;
  ir::Value phase;  ///< of the first column; invalid without four-step twiddle
  int phase_step = 0;
  ir::Value number;  ///< of the first column in a convolution; invalid: 0
  int number_step = 0;
};

}  // namespace imago::blocks
