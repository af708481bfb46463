// This file holds the index maps of the work-group mapping, each formula once. They are templates
// over the number N: std::int64_t where the planner counts bank conflicts, a value of the kernel
// (ir::Value) where the blocks emit it. A new kind of number needs + - * / % and where_zero().
#pragma once

#include <cstdint>

#include "kernel/step.hpp"

namespace imago::kernel {

/// `yes` where `tested` is 0, else `no`.
inline std::int64_t where_zero(std::int64_t tested, std::int64_t yes, std::int64_t no) {
  return tested == 0 ? yes : no;
}

/// Places in a group, or of elements in its block: number `index` of column `column` of its tile.
template <class N>
struct Coordinates {
  N index, column;
};
/// Those of place `place` of a group: `count` of them in each column of the tile.
template <class N>
Coordinates<N> coordinates_of(const Step& step, std::int64_t count, bool columns_fastest, N place) {
  const auto tile = std::int64_t{step.tile};
  const N column = columns_fastest ? place % tile : place / count;
  const N index = columns_fastest ? place / tile : place % count;
  return {index, column};
}

/// Where a point lies in local memory, in elements or their parts.
template <class N>
N local_address(const Step& step, N column, N point) {
  const auto span = static_cast<std::int64_t>(step.column_span()),
             padding = std::int64_t{step.group().padding};
  const N padded = padding == 0 ? point : point + point / padding;
  return padded + column * span;
}

/// Butterfly `number` of a pass: digit k of column q, of the axes further out number o; `row` is
/// (o, k) in one. Leg r of those that it reads is point ((o done + k) radix + r) left + q, leg s of
/// those that it writes point ((o radix + s) done + k) left + q.
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
/// `inside`: the number, or that of a butterfly that exists where it does not.
template <class N>
ButterflyIndex<N> butterfly_index(const Pass& pass, N number, N inside) {
  const auto left = static_cast<std::int64_t>(pass.left);
  const N row = inside / left, q = inside % left;
  return {pass, number, row, q,
          pass.outer > 1 ? row / static_cast<std::int64_t>(pass.done) : row * 0};
}

/// The butterflies of couples (Pass::coupled), `member` 0 or 1 of each.
template <class N>
class CoupleIndex {
 public:
  explicit CoupleIndex(const Pass& pass)
      : digits_(static_cast<std::int64_t>(pass.coupled)),
        from_digit_(static_cast<std::int64_t>(pass.from_digit())) {}

  /// The digit k of the first member; where it is 0 the butterflies have their own partners.
  N first_digit(N couple) const { return couple / from_digit_ % (digits_ / 2); }
  N digit(N couple, std::size_t member) const {
    const N first = first_digit(couple);
    return member == 0 ? first : where_zero(first, digits_ / 2, digits_ - first);
  }
  /// The number among the pass's butterflies.
  N butterfly(N couple, std::size_t member) const {
    const N outer = couple / (from_digit_ * (digits_ / 2));
    return (outer * digits_ + digit(couple, member)) * from_digit_ + couple % from_digit_;
  }

 private:
  std::int64_t digits_;      ///< D
  std::int64_t from_digit_;  ///< butterflies from one digit to the next
};

/// The number of butterfly `i` of those that work-item `item` has in a pass.
template <class N>
N butterfly_number(const Step& step, const Pass& pass, N item, std::int64_t i) {
  const std::int64_t members = pass.coupled > 0 ? 2 : 1;
  const N each = item + i / members * std::int64_t{step.group().items};
  if (pass.coupled == 0) return each;
  return CoupleIndex<N>(pass).butterfly(each, static_cast<std::size_t>(i % 2));
}

}  // namespace imago::kernel
