// This file defines the data that the parts of the vector mapping share: the private memory of a
// work-item, and the tile of columns that it processes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/integers.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

using base::to_signed;

/// Returns i * step, moved back at the end so that the last vector ends at `extent`. Overlaps do no
/// harm, because passes and copies are out of place.
inline ir::Value along(ir::Builder& b, ir::Value i, unsigned step, std::uint64_t extent) {
  const ir::Value at = i * std::int64_t{step};
  return extent % step == 0
             ? at
             : b.binary(ir::Op::min, at, b.integer(to_signed(extent) - std::int64_t{step}));
}

/// Returns the width of the step's widest vectors.
inline unsigned widest_vector(const kernel::Step& step) {
  unsigned width = 1;
  for (const kernel::Pass& pass : step.passes) width = std::max(width, pass.width);
  return width;
}

/// Complex numbers in private memory, real and imaginary parts separate.
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
  Cells buffers[2];  ///< data of a transform, used alternately
  Cells block;       ///< data between two fused passes
  Cells lone;  ///< elements outside the convolution, one for each column; at store, their results
};

/// The place of a tile's columns on one side, in elements.
struct TileSide {
  ir::Value base;
  ir::Value stride;              ///< between adjacent columns
  ir::Value point;               ///< point of the line at which the columns begin; not valid: 0
  std::uint64_t point_step = 0;  ///< points of the line between adjacent columns
  bool adjacent = false;         ///< true if adjacent columns are adjacent elements

  ir::Value base_of(ir::Value column) const {
    return column.valid() ? base + stride * column : base;
  }
};

/// A tile of columns.
struct Tile {
  TileSide in, out;
  ir::Value phase;  ///< phase of the first column; not valid without four-step twiddle
  int phase_step = 0;
  ir::Value number;  ///< number of the first column in a convolution; not valid: 0
  int number_step = 0;
};

/// A tile with its private memory, in which the columns' points are interleaved.
struct TileSite {
  const Frame& f;
  const Scratch& scratch;
  const Tile& tile;
  unsigned columns;  ///< columns in lanes; 1: lanes along the points of a transform
  /// Number of columns whose points share the lanes: all lanes of one column, then those of the
  /// next. Each group in private memory begins at a multiple of the pass's width.
  unsigned abreast = 1;
  /// Columns that exist, in the last tile of a row of columns; 0: all. The other lanes repeat some
  /// of them and store nothing.
  unsigned present = 0;

  /// Loads `width` adjacent values from a buffer of the private memory, starting at a point, for
  /// the first or a given column.
  Cx load(unsigned buffer, ir::Value point, unsigned width, ir::Value column = {}) const {
    return scratch.buffers[buffer].load(f.b, cell(point, column), width);
  }
  void store(unsigned buffer, ir::Value point, const Cx& x, ir::Value column = {}) const {
    scratch.buffers[buffer].store(f.b, cell(point, column), x);
  }
  ir::Value cell(ir::Value point, ir::Value column) const {
    const ir::Value at = point * std::int64_t{columns * abreast};
    return column.valid() ? at + column : at;
  }
};

}  // namespace imago::blocks
