// This file finds what each work-item of a work-group works on: its place in the tile, and the
// column of the step's that this is.
#include "blocks/seat.hpp"

#include "base/integers.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

class Seating {
 public:
  explicit Seating(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  Seat find(Value item, Value column) {
    Seat seat;
    const auto tile = static_cast<std::int64_t>(step_.tile);
    seat.item = item, seat.column = column;
    const Value group = b_.convert(b_.group_id(), {ir::Base::i32, 1});
    Value member;
    if (step_.columns.empty()) {
      member = group * tile + seat.column;
      if (tile > 1) seat.active = member < f_.batch;
      seat.in.base = f_.in.offset, seat.out.base = f_.out.offset;
    } else {
      member = place_columns(seat, group);
    }
    seat.in.base = seat.in.base + member * f_.in.distance;
    seat.out.base = seat.out.base + member * f_.out.distance;
    return seat;
  }

 private:
  /// Finds the column indices of the seat from its number among all columns; returns the batch
  /// member.
  Value place_columns(Seat& seat, Value group) {
    // Of mirrored columns the tile has so many pairs.
    const unsigned halves = step_.mirrored() ? 2 : 1, counted = step_.tile / halves;
    const bool alternate = step_.mirrors(plan::Mirror::elements);
    const Value place = alternate ? seat.column / 2 : seat.column % std::int64_t{counted};
    const std::uint64_t all = step_.place_count() / halves;
    const auto tiles = static_cast<std::int64_t>(base::ceil_divide(all, counted));
    Value rest = group % tiles * std::int64_t{counted} + place;
    if (all % counted != 0) seat.active = rest < static_cast<std::int64_t>(all);
    seat.in.base = f_.in.offset, seat.out.base = f_.out.offset;
    for (std::size_t d = 0; d < step_.columns.size(); ++d) {
      const plan::Column& column = step_.columns[d];
      const auto extent =
          static_cast<std::int64_t>(column.mirrored() ? column.pairs() : column.extent);
      const bool outermost = d + 1 == step_.columns.size();
      Value index = outermost ? rest : rest % extent;
      if (!outermost) rest = rest / extent;
      if (column.mirror == plan::Mirror::points) index = beside_image(seat, index, column);
      if (column.mirror == plan::Mirror::elements) index = reflected(seat, index, column);
      const Value wide = b_.convert(index, {ir::Base::i64, 1});
      seat.in.base = seat.in.base + wide * static_cast<std::int64_t>(step_.in_base_stride(column));
      seat.out.base =
          seat.out.base + wide * static_cast<std::int64_t>(step_.out_base_stride(column));
      advance(seat.phase, index, column.phase);
      advance(seat.number, index, column.number);
      advance(seat.in.point, index, column.in.point);
      advance(seat.out.point, index, column.out.point);
    }
    // Idle seats look tables up, too.
    const auto most = static_cast<std::int64_t>(step_.convolution.stride) - 1;
    if (seat.number.valid()) seat.number = b_.binary(ir::Op::min, seat.number, b_.integer(most));
    return group / tiles;
  }

  /// The index of the seat's column, one of those of a pair (plan::Mirror::elements).
  Value reflected(Seat& seat, Value pair, const plan::Column& column) {
    const auto extent = static_cast<std::int64_t>(column.extent);
    const Value far = is_odd(seat.column), image = b_.integer(extent - 1) - pair;
    if (extent % 2 != 0) {
      const Value near = b_.select(far, b_.integer(0), b_.integer(1));
      seat.active = seat.active && b_.binary(ir::Op::less, pair, image + near);
    }
    return b_.select(far, image, pair);
  }

  /// The same of plan::Mirror::points.
  Value beside_image(Seat& seat, Value pair, const plan::Column& column) {
    const auto extent = static_cast<std::int64_t>(column.extent),
               half = std::int64_t{step_.tile} / 2;
    const Value zero = b_.integer(0);
    const Value first = b_.binary(ir::Op::equal, pair, zero);
    const Value far = b_.binary(ir::Op::less, b_.integer(half - 1), seat.column);
    const Value near = b_.select(far, zero, b_.integer(1));
    const Value other = seat.column + b_.select(far, b_.integer(-half), b_.integer(half));
    seat.image_column = b_.select(first, seat.column, other);
    seat.foremost = b_.binary(ir::Op::less, pair, near);
    if (extent % 2 != 0) seat.active = seat.active && b_.binary(ir::Op::less, zero, pair + near);
    const Value image = b_.select(first, b_.integer(extent / 2), b_.integer(extent) - pair);
    return b_.select(far, image, pair);
  }

  /// Adds index * step; nothing where step is 0.
  static void advance(Value& sum, Value index, std::uint64_t step) {
    if (step == 0) return;
    const Value product = index * static_cast<std::int64_t>(step);
    sum = sum.valid() ? sum + product : product;
  }

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
};

}  // namespace

Value is_odd(Value number) {
  ir::Builder& b = number.builder();
  return b.binary(ir::Op::equal, number % 2, b.integer(1));
}

Seat seat_at(const Frame& frame, Value item, Value column) {
  return Seating(frame).find(item, column);
}

Seat seat_of(const Frame& frame, bool columns_fastest) {
  const Value lid = frame.b.local_id(frame.step.work_group_size());
  const auto items = static_cast<std::int64_t>(frame.step.group().items),
             tile = static_cast<std::int64_t>(frame.step.tile);
  return columns_fastest ? seat_at(frame, lid / tile, lid % tile)
                         : seat_at(frame, lid % items, lid / items);
}

}  // namespace imago::blocks
