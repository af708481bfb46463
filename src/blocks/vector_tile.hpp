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

/// Where a tile of columns lies in global memory, in elements.
struct Tile {
  ir::Value in_base, out_base;
  ir::Value in_stride, out_stride;  ///< from column to column
  ir::Value phase;                  ///< of the first column; invalid without inter-kernel twiddle
  ir::Value in_point, out_point;    ///< of the line, where the columns begin; invalid: 0
  int phase_step = 0;
  std::uint64_t in_point_step = 0, out_point_step = 0;  ///< of the line, from column to column
  ir::Value number;  ///< of the first column in a convolution; invalid: 0
  int number_step = 0;
  bool in_adjacent = false,
       out_adjacent = false;  ///< neighbouring columns are neighbouring elements
};

}  // namespace imago::blocks
