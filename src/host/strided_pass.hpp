// This file divides one pass over strided arrays into boxes. A box has the whole extent of the
// transformed dimensions, and parts of the others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

#include "host/passes.hpp"

namespace imago::host {

/// One dimension of a pass's input and output; strides in elements of the input's or output's type.
struct Dimension {
  Kind kind = Kind::identity;  ///< kind of the forward direction; identity: a batch dimension
  std::size_t length = 1;      ///< n in the time domain
  std::size_t from_extent = 1, to_extent = 1;
  std::size_t from_stride = 1, to_stride = 1;
};

/// The twiddle factors of a long 1-D transform that is computed as columns and rows (Govindaraju et
/// al., fig. 5). The exponent is the index of the column along `column`, of `line` points in all,
/// times the index along `along`.
struct LineTwiddles {
  std::size_t along = 0, column = 0;  ///< indices of dimensions
  std::size_t line = 1;
};

/// A pass over strided dimensions, before it is divided.
struct StridedPass {
  std::vector<Dimension> dimensions;
  std::size_t from_begin = 0, to_begin = 0;      ///< bytes before the first element
  std::size_t from_element = 8, to_element = 8;  ///< bytes of an element
  /// The transform without its lengths, kinds and layouts.
  Transform how;
  std::optional<LineTwiddles> twiddles = {};
};

/// Name of the number that a piece with LineTwiddles passes to its plan, which is its first column.
inline constexpr const char* kFirstColumn = "first_column";

/// Divides a pass into pieces; nullopt if the budget is too small for the smallest piece.
std::optional<HostPass> cut(const StridedPass& pass, const Budget& budget, Shapes& shapes);

/// Returns the bytes of the input or output of the smallest piece, whichever is larger.
std::size_t smallest_piece(const StridedPass& pass);

}  // namespace imago::host
