// This file holds what the vector mapping's parts share: the scratch of a work-item, the tile of
// columns that it works on, and where both of them are at hand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/integers.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

using base::to_signed;

/// i * step, moved back at the end so that the last vector ends at `extent` (passes and copies are
/// out of place).
inline ir::Value along(ir::Builder& b, ir::Value i, unsigned step, std::uint64_t extent) {
  const ir::Value at = i * std::int64_t{step};
  return extent % step == 0
             ? at
             : b.binary(ir::Op::min, at, b.integer(to_signed(extent) - std::int64_t{step}));
}

/// The widest vectors of the step.
inline unsigned widest_vector(const kernel::Step& step) {
  unsigned width = 1;
  for (const kernel::Pass& pass : step.passes) width = std::max(width, pass.width);
  return width;
}

/// Complex numbers in private memory, real and imaginary parts apart.
struct Cells {
  ir::MemoryId re, im;

  Cx load(ir::Builder& b, ir::Value at, unsigned width) const {
    return {b.load(re, at, width), b.load(im, at, width)};
  }
  void store(ir::Builder& b, ir::Value at, const Cx& x) const {
    b.store(re, at, x.re);
    b.store(im, at, x.im);
  }
};

/// Private memory of a work-item.
struct Scratch {
  Cells stages[2];  ///< of a transform, used in turn
  Cells block;      ///< between two passes that are joined
  Cells lone;  ///< elements that are not convolved, one per column; on the way out, their results
};

/// Where a tile of columns lies on one side, in elements.
struct TileSide {
  ir::Value base;
  ir::Value stride;              ///< from column to column
  ir::Value point;               ///< of the line, where the columns begin; invalid: 0
  std::uint64_t point_step = 0;  ///< of the line, from column to column
  bool adjacent = false;         ///< neighbouring columns are neighbouring elements

  ir::Value base_of(ir::Value column) const {
    return column.valid() ? base + stride * column : base;
  }
};

/// A tile of columns.
struct Tile {
  TileSide in, out;
  ir::Value phase;  ///< of the first column; invalid without four-step twiddle
  int phase_step = 0;
  ir::Value number;  ///< of the first column in a convolution; invalid: 0
  int number_step = 0;
};

/// A tile at work. The columns' points lie side by side in scratch.
struct TileSite {
  const Frame& f;
  const Scratch& scratch;
  const Tile& tile;
  unsigned columns;  ///< in lanes; 1: lanes along the points of a transform
  /// Lanes are points of so many columns: those of one, then as many of the next. What lies so side
  /// by side in scratch begins at a multiple of the pass's width.
  unsigned abreast = 1;

  /// `width` neighbours in a stage of the scratch from a point on, of the first or a given column.
  Cx load(unsigned stage, ir::Value point, unsigned width, ir::Value column = {}) const {
    return scratch.stages[stage].load(f.b, cell(point, column), width);
  }
  void store(unsigned stage, ir::Value point, const Cx& x, ir::Value column = {}) const {
    scratch.stages[stage].store(f.b, cell(point, column), x);
  }
  ir::Value cell(ir::Value point, ir::Value column) const {
    const ir::Value at = point * std::int64_t{columns * abreast};
    return column.valid() ? at + column : at;
  }
};

}  // namespace imago::blocks
