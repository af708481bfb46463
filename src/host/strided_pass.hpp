// This file divides one pass over strided arrays into pieces: chunks that devices compute
// separately. The input and the output of a piece are boxes, which have the whole extent of the
// transformed dimensions, and a part of each other dimension.
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

/// The twiddle factors of a long 1-D transform of `line` points that is computed as columns and
/// rows (Govindaraju et al., fig. 5). The factor of an element is exp(-+ 2 pi i p / line). Here p
/// is its index along the dimension `column` times its index along the dimension `along`.
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

/// Name of a call's argument: the index of the piece's first column (Piece::number). The plan of a
/// piece needs it if its pass has LineTwiddles.
inline constexpr const char* kFirstColumn = "first_column";

/// Returns the pass divided into pieces. Returns nullopt if the smallest piece exceeds the budget.
std::optional<HostPass> cut(const StridedPass& pass, const Budget& budget, Shapes& shapes);

/// Returns the bytes of the smallest possible piece: of its input or its output, whichever is
/// larger.
std::size_t smallest_piece(const StridedPass& pass);

}  // namespace imago::host
