// This file holds the index maps of the work-group mapping, each formula once. They compute which
// points of a transform a work-item's butterflies read and write. A leg is one input or output of a
// butterfly.
//
// The maps are templates over the type N of an index: std::int64_t for the planner, which counts
// bank conflicts, and ir::Value for the blocks, which emit code. A new type needs + - * / % and
// where_zero().
#pragma once

#include <cstdint>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Returns `yes` if `tested` is 0, else `no`.
inline std::int64_t where_zero(std::int64_t tested, std::int64_t yes, std::int64_t no) {
  return tested == 0 ? yes : no;
}

/// The coordinates of a work-item in its work-group, or of an element in its block: it is number
/// `index` in column `column` of the tile.
template <class N>
struct Coordinates {
  N index, column;
};
/// Returns the coordinates of the work-item or element with the linear index `place`. Each column
/// of the tile has `count` of them.
template <class N>
Coordinates<N> coordinates_of(const Step& step, std::int64_t count, bool columns_fastest, N place) {
  const auto tile = std::int64_t{step.tile};
  const N column = columns_fastest ? place % tile : place / count;
  const N index = columns_fastest ? place / tile : place % count;
  return {index, column};
}

/// Returns the address of a point in local memory. It counts complex numbers, or their parts if
/// these are exchanged one after the other.
template <class N>
N local_address(const Step& step, N column, N point) {
  const auto span = static_cast<std::int64_t>(step.column_span()),
             padding = std::int64_t{step.group().padding};
  const N padded = padding == 0 ? point : point + point / padding;
  return padded + column * span;
}

/// The coordinates of butterfly `number` of a pass. It has the finished digit k, the column q and
/// the index o along the slower axes; `row` is o done + k. It reads input r from point ((o done +
/// k) radix + r) left + q, and writes output s to point ((o radix + s) done + k) left + q.
template <class N>
struct ButterflyIndex {
  const Pass& pass;
  N number, row, q, o;

  N digit() const { return pass.outer > 1 ? row % done() : row; }
  N first_read() const { return row * (left() * std::int64_t{pass.radix}) + q; }
  std::int64_t read_stride() const { return left(); }
  N first_write() const {
    // The first pass of an axis writes where it reads.
    return done() == 1 ? first_read() : number + o * (done() * left() * (pass.radix - 1));
  }
  std::int64_t write_stride() const { return done() * left(); }

  std::int64_t done() const { return static_cast<std::int64_t>(pass.done); }
  std::int64_t left() const { return static_cast<std::int64_t>(pass.left); }
};
/// Returns the coordinates of butterfly `number` of a pass. If the pass has no such butterfly, pass
/// the number of an existing one as `inside`, otherwise `number` again. The function computes row,
/// column and o from `inside`, so that the points to read always exist.
template <class N>
ButterflyIndex<N> butterfly_index(const Pass& pass, N number, N inside) {
  const auto left = static_cast<std::int64_t>(pass.left);
  const N row = inside / left, q = inside % left;
  return {pass, number, row, q,
          pass.outer > 1 ? row / static_cast<std::int64_t>(pass.done) : row * 0};
}

/// The places of a butterfly's points in local memory if passes write where they read
/// (Exchange::in_place): leg r is at place first + stride * r.
template <class N>
struct InPlace {
  N first;
  std::int64_t stride;
};
/// Returns the places of a butterfly of one or two axes. The digit that an earlier pass has
/// finished keeps the weight `left` of that pass. With `padding`, one of these weights or 0, one
/// place is left out after every `padding` places.
template <class N>
InPlace<N> in_place(const Step& step, const ButterflyIndex<N>& index, std::int64_t padding) {
  // A weight is a multiple of the padding, or less.
  const auto padded = [padding](std::uint64_t weight) {
    const auto places = static_cast<std::int64_t>(weight);
    return padding == 0 ? places : places + places / padding;
  };
  N place = padding != 0 && index.left() > padding ? index.q + index.q / padding : index.q;
  for (const Pass* pass = step.passes.data(); pass != &index.pass; ++pass) {
    const N finished = pass->outer == index.pass.outer ? index.digit() : index.o;
    const N digits = finished / static_cast<std::int64_t>(pass->done);
    const bool last = pass + 1 == &index.pass || pass[1].outer != pass->outer;
    place = place + (last ? digits : digits % std::int64_t{pass->radix}) * padded(pass->left);
  }
  return {place, padded(index.pass.left)};
}

/// Numbers the butterflies of a pass in pairs (Pass::coupled). Unless k = 0, butterfly 1 of a pair
/// has the partners of the points of butterfly 0. Here `couple` is the number of a pair, and
/// `member` is 0 or 1, a butterfly in it.
template <class N>
class CoupleIndex {
 public:
  explicit CoupleIndex(const Pass& pass)
      : digits_(static_cast<std::int64_t>(pass.coupled)),
        from_digit_(static_cast<std::int64_t>(pass.from_digit())) {}

  /// Returns the digit k of a pair's butterfly 0. If k = 0, both butterflies of the pair have their
  /// partners among their own points.
  N first_digit(N couple) const { return couple / from_digit_ % (digits_ / 2); }
  N digit(N couple, std::size_t member) const {
    const N first = first_digit(couple);
    return member == 0 ? first : where_zero(first, digits_ / 2, digits_ - first);
  }
  /// Returns the number, in the pass, of a butterfly of a pair.
  N butterfly(N couple, std::size_t member) const {
    const N outer = couple / (from_digit_ * (digits_ / 2));
    const N inside = couple % from_digit_, own = digit(couple, member);
    return (outer * digits_ + own) * from_digit_ + inside;
  }

 private:
  std::int64_t digits_;      ///< number of digits
  std::int64_t from_digit_;  ///< butterflies from one digit to the next
};

/// Returns the number, in the pass, of a work-item's i-th butterfly. `item` is the number of the
/// work-item.
template <class N>
N butterfly_number(const Step& step, const Pass& pass, N item, std::int64_t i) {
  const std::int64_t members = pass.coupled > 0 ? 2 : 1;
  const N each = item + i / members * std::int64_t{step.group().items};
  if (pass.coupled == 0) return each;
  return CoupleIndex<N>(pass).butterfly(each, static_cast<std::size_t>(i % 2));
}

}  // namespace imago::kernel
