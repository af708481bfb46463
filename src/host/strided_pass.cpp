// This file implements the division of passes into boxes.
#include "host/strided_pass.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/integers.hpp"

namespace imago::host {
namespace {

/// The host copies rows of this many bytes as fast as longer ones.
constexpr std::size_t kLongRow = std::size_t{128} << 10;

bool is_transformed(const Dimension& d) { return d.kind != Kind::identity; }

/// Returns the elements along a dimension in the input or output, for a piece with `extent`
/// elements of the signal or batch.
std::size_t extent_of(const Dimension& d, std::size_t extent, bool from) {
  if (!is_transformed(d)) return extent;
  return from ? d.from_extent : d.to_extent;
}

/// The input or output of a piece: its place on the host, and its strides when packed.
struct PackedSide {
  Box box;
  std::vector<std::size_t> strides;
};

/// Returns the input or output of a piece with these extents.
PackedSide side_of(const StridedPass& pass, const std::vector<std::size_t>& extents, bool from) {
  const auto& all = pass.dimensions;
  const std::size_t element = from ? pass.from_element : pass.to_element;
  const auto stride = [&](std::size_t d) { return from ? all[d].from_stride : all[d].to_stride; };
  std::vector<std::size_t> fastest_first(all.size());
  std::iota(fastest_first.begin(), fastest_first.end(), std::size_t{0});
  std::stable_sort(fastest_first.begin(), fastest_first.end(),
                   [&](std::size_t a, std::size_t b) { return stride(a) < stride(b); });
  PackedSide side;
  side.strides.resize(all.size());
  std::size_t packed = 1;
  side.box.row = element;
  for (const std::size_t d : fastest_first) {
    const std::size_t extent = extent_of(all[d], extents[d], from);
    side.strides[d] = packed;
    packed *= extent;
    if (extent == 1) continue;
    const std::size_t bytes = stride(d) * element;
    if (side.box.repeats.empty() && bytes == side.box.row)
      side.box.row *= extent;
    else
      side.box.repeats.insert(side.box.repeats.begin(), {extent, bytes});
  }
  return side;
}

Transform transform_of(const StridedPass& pass, const std::vector<std::size_t>& extents,
                       const PackedSide& from, const PackedSide& to) {
  Transform t = pass.how;
  const bool inverse = t.directions == Directions::inverse;
  Layout read, written;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const Dimension& dimension = pass.dimensions[d];
    if (extents[d] == 1 && !is_transformed(dimension) && !pass.twiddles) continue;
    t.axes.push_back(dimension.kind);
    t.lengths.push_back(is_transformed(dimension) ? dimension.length : extents[d]);
    read.strides.push_back(from.strides[d]);
    written.strides.push_back(to.strides[d]);
  }
  t.signal = inverse ? written : read;
  t.spectrum = inverse ? read : written;
  if (const auto& twiddles = pass.twiddles)
    (inverse ? t.on_inverse : t.on_forward).store = {hook::LineTwiddle{.along = twiddles->along,
                                                                       .column = twiddles->column,
                                                                       .points = twiddles->line,
                                                                       .argument = kFirstColumn,
                                                                       .conjugate = inverse}};
  return t;
}

/// Returns extents of a piece whose input and output have at most `bytes` bytes, or of the smallest
/// piece. Dimensions that are fast in memory grow first, so that rows are long.
std::vector<std::size_t> extents_within(const StridedPass& pass, std::size_t bytes) {
  const auto& all = pass.dimensions;
  std::vector<std::size_t> extents(all.size(), 1), order;
  std::size_t held = smallest_piece(pass);
  for (std::size_t d = 0; d < all.size(); ++d)
    if (!is_transformed(all[d])) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::max(all[a].from_stride, all[a].to_stride) <
           std::max(all[b].from_stride, all[b].to_stride);
  });
  for (const std::size_t d : order) {
    const std::size_t most = std::max<std::size_t>(1, bytes / held);
    if (most >= all[d].length) {
      extents[d] = all[d].length;
      held *= extents[d];
      continue;
    }
    const std::size_t parts = base::ceil_divide(all[d].length, most);
    extents[d] = base::ceil_divide(all[d].length, parts);
    break;
  }
  return extents;
}

/// Returns the preferred bytes of a piece: enough to keep all devices busy, and for long rows.
std::size_t wanted_bytes(const StridedPass& pass, const Budget& budget) {
  std::size_t whole = smallest_piece(pass), element = std::max(pass.from_element, pass.to_element);
  for (const Dimension& d : pass.dimensions) {
    if (!is_transformed(d)) whole *= d.length;
  }
  const std::size_t long_rows = smallest_piece(pass) * (kLongRow / element);
  const bool cut_rows =
      std::any_of(pass.dimensions.begin(), pass.dimensions.end(), [](const Dimension& d) {
        return !is_transformed(d) && d.length > 1 && (d.from_stride == 1 || d.to_stride == 1);
      });
  return std::max(budget.piece_bytes(whole), cut_rows ? long_rows : 0);
}

/// Makes the pieces of a pass, in memory order. The slowest divided dimension repeats the pieces of
/// the others.
class PieceCutter {
 public:
  PieceCutter(const StridedPass& pass, const std::vector<std::size_t>& extents, Shapes& shapes)
      : pass_(pass), extents_(extents), shapes_(shapes) {}

  Pieces all() {
    const auto& dimensions = pass_.dimensions;
    std::size_t slowest = 0;
    while (slowest < extents_.size() && !is_cut(slowest)) ++slowest;
    if (slowest == extents_.size()) return block(slowest, 0);
    const Dimension& d = dimensions[slowest];
    const std::size_t extent = extents_[slowest], times = d.length / extent;
    Pieces pieces;
    pieces.add({block(slowest, 0), times, extent * d.from_stride * pass_.from_element,
                extent * d.to_stride * pass_.to_element,
                pass_.twiddles && pass_.twiddles->column == slowest ? extent : 0});
    if (d.length % extent != 0) pieces.add({block(slowest, times * extent)});
    return pieces;
  }

 private:
  bool is_cut(std::size_t d) const {
    return !is_transformed(pass_.dimensions[d]) && extents_[d] < pass_.dimensions[d].length;
  }

  /// Returns the pieces with one index in dimension `fixed`.
  std::vector<Piece> block(std::size_t fixed, std::size_t index) {
    std::vector<Piece> pieces;
    std::vector<std::size_t> first(extents_.size());
    if (fixed < first.size()) first[fixed] = index;
    for (;;) {
      pieces.push_back(piece(first));
      std::size_t d = first.size();
      for (;;) {
        if (d-- == 0) return pieces;
        if (d == fixed || is_transformed(pass_.dimensions[d])) continue;
        first[d] += extents_[d];
        if (first[d] < pass_.dimensions[d].length) break;
        first[d] = 0;
      }
    }
  }

  Piece piece(const std::vector<std::size_t>& first) {
    std::vector<std::size_t> extents = extents_;
    std::size_t from = 0, to = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const Dimension& dimension = pass_.dimensions[d];
      if (!is_transformed(dimension))
        extents[d] = std::min(extents[d], dimension.length - first[d]);
      from += first[d] * dimension.from_stride;
      to += first[d] * dimension.to_stride;
    }
    if (extents != known_) {
      known_ = extents;
      from_ = side_of(pass_, extents, true);
      to_ = side_of(pass_, extents, false);
      shape_ = shapes_.add({transform_of(pass_, extents, from_, to_), true});
    }
    Piece piece{from_.box, to_.box};
    piece.from.begin = pass_.from_begin + from * pass_.from_element;
    piece.to.begin = pass_.to_begin + to * pass_.to_element;
    piece.shape = shape_;
    if (pass_.twiddles) piece.number = first[pass_.twiddles->column];
    return piece;
  }

  const StridedPass& pass_;
  const std::vector<std::size_t>& extents_;
  Shapes& shapes_;
  std::vector<std::size_t> known_;
  PackedSide from_, to_;
  std::size_t shape_ = 0;
};

}  // namespace

std::size_t smallest_piece(const StridedPass& pass) {
  std::size_t from = pass.from_element, to = pass.to_element;
  for (const Dimension& d : pass.dimensions) {
    if (!is_transformed(d)) continue;
    from *= d.from_extent;
    to *= d.to_extent;
  }
  return std::max(from, to);
}

std::optional<HostPass> cut(const StridedPass& pass, const Budget& budget, Shapes& shapes) {
  const std::size_t wanted = wanted_bytes(pass, budget);
  for (std::size_t slots = kSlots; slots > 0; --slots) {
    // Input and output of each slot, and a workspace as large as one of them.
    const std::size_t share = budget.memory / (2 * slots + 1);
    std::size_t bytes = std::min({wanted, share, budget.largest});
    for (std::vector<std::size_t> tried; bytes > 0; bytes /= 2) {
      const auto extents = extents_within(pass, bytes);
      if (extents == tried) continue;
      tried = extents;
      const PackedSide from = side_of(pass, extents, true), to = side_of(pass, extents, false);
      if (!budget.holds(transform_of(pass, extents, from, to), {from.box.bytes(), to.box.bytes()},
                        slots))
        continue;
      HostPass found;
      found.slots = slots;
      found.pieces = PieceCutter(pass, extents, shapes).all();
      return found;
    }
  }
  return {};
}

}  // namespace imago::host
