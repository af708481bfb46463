// This file cuts one pass over strided arrays into boxes: all of the dimensions that the pass
// transforms, and parts of the others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

#include "host/passes.hpp"

namespace imago::host {

/// One dimension of both sides of a pass; strides in elements of each side's own type.
struct Dimension {
  Kind kind = Kind::identity;  ///< of the forward direction; identity: only batch
  std::size_t length = 1;      ///< n of the signal
  std::size_t from_extent = 1, to_extent = 1;
  std::size_t from_stride = 1, to_stride = 1;
};

/// The factors between the halves of a line that is computed as columns and rows (Govindaraju et
/// al., fig. 5): column `column` of `line` points, times its index along `along`.
struct LineTwiddles {
  std::size_t along = 0, column = 0;  ///< dimensions
  std::size_t line = 1;
};

/// A pass over strided dimensions, before it is cut.
struct StridedPass {
  std::vector<Dimension> dimensions;
  std::size_t from_begin = 0, to_begin = 0;      ///< bytes before the first element
  std::size_t from_element = 8, to_element = 8;  ///< bytes
  /// All but the lengths, kinds and layouts.
  Transform how;
  std::optional<LineTwiddles> twiddles = {};
};

/// The name of the number that a piece with LineTwiddles gives its plan: its first column.
inline constexpr const char* kFirstColumn = "first_column";

/// Cuts a pass into pieces; empty if the budget does not hold the smallest one.
std::optional<HostPass> cut(const StridedPass& pass, const Budget& budget, Shapes& shapes);

/// Returns the bytes of the larger side of the smallest piece.
std::size_t smallest_piece(const StridedPass& pass);

}  // namespace imago::host
