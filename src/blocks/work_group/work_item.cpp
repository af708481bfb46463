// This file computes which part of a work-group's data each work-item processes: its place in the
// tile, and the step's column there.
#include "blocks/work_group/work_item.hpp"

#include "base/integers.hpp"
#include "kernel/index_map.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

ir::Condition is_odd(Value number) {
  ir::Builder& b = number.builder();
  const Value one = b.integer(1);
  return ir::equal(number % 2, one);
}

class WorkItemFinder {
 public:
  explicit WorkItemFinder(const Frame& frame) : f_(frame), b_(frame.b), step_(frame.step) {}

  WorkItem find(Value index, Value column) {
    WorkItem item;
    const auto tile = static_cast<std::int64_t>(step_.tile);
    item.index = index, item.column = column;
    const Value group = f_.group();
    Value member;
    if (step_.columns.empty()) {
      member = group * tile + item.column;
      if (tile > 1) item.active = member < f_.batch, limit(member, f_.batch + std::int64_t{-1});
      item.in.base = f_.in.offset, item.out.base = f_.out.offset;
    } else {
      member = place_columns(item, group);
    }
    item.in.base = item.in.base + member * f_.in.distance;
    item.out.base = item.out.base + member * f_.out.distance;
    if (step_.convolution.hooked) place_turn(item, member);
    return item;
  }

 private:
  /// Computes the column's indices from its number among all columns; returns the batch element.
  Value place_columns(WorkItem& item, Value group) {
    // Mirrored columns are counted in pairs.
    const unsigned halves = step_.mirrored() ? 2 : 1, counted = step_.tile / halves;
    const bool alternate = step_.mirrors(kernel::Mirror::elements);
    const Value place = alternate ? item.column / 2 : item.column % std::int64_t{counted};
    const std::uint64_t all = step_.place_count() / halves;
    const auto tiles = static_cast<std::int64_t>(base::ceil_divide(all, counted));
    Value rest = group % tiles * std::int64_t{counted} + place;
    if (all % counted != 0) {
      item.active = rest < static_cast<std::int64_t>(all);
      limit(rest, b_.integer(static_cast<std::int64_t>(all) - 1));
    }
    item.in.base = f_.in.offset, item.out.base = f_.out.offset;
    for (std::size_t d = 0; d < step_.columns.size(); ++d) {
      const kernel::Column& column = step_.columns[d];
      const auto extent =
          static_cast<std::int64_t>(column.mirrored() ? column.pairs() : column.extent);
      const bool outermost = d + 1 == step_.columns.size();
      Value index = outermost ? rest : rest % extent;
      if (!outermost) rest = rest / extent;
      if (column.mirror == kernel::Mirror::points) index = beside_partner(item, index, column);
      if (column.mirror == kernel::Mirror::elements) index = reflected(item, index, column);
      const Value wide = b_.convert(index, {ir::Base::i64, 1});
      item.in.base = item.in.base + wide * static_cast<std::int64_t>(
                                               kernel::base_stride(step_.at_load(), column.in));
      item.out.base = item.out.base + wide * static_cast<std::int64_t>(
                                                 kernel::base_stride(step_.at_store(), column.out));
      advance(item.phase, index, column.phase);
      advance(item.number, step_.convolution.hooked ? wide : index, column.number);
      advance(item.in.point, index, column.in.point);
      advance(item.out.point, index, column.out.point);
    }
    // Idle work-items also read tables, so their numbers are limited.
    const auto most = static_cast<std::int64_t>(step_.convolution.stride) - 1;
    if (item.number.valid() && !step_.convolution.hooked)
      item.number = b_.binary(ir::Op::min, item.number, b_.integer(most));
    return group / tiles;
  }

  /// Numbers in the spectrum of a filter count through the whole batch.
  void place_turn(WorkItem& item, Value member) {
    const Value wide = b_.convert(member, {ir::Base::i64, 1});
    const Value first = f_.spectrum.offset + wide * f_.spectrum.distance;
    item.number = item.number.valid() ? item.number + first : first;
  }

  /// Returns the index of the work-item's column, one of a pair (kernel::Mirror::elements).
  Value reflected(WorkItem& item, Value pair, const kernel::Column& column) {
    const auto extent = static_cast<std::int64_t>(column.extent);
    const ir::Condition far = is_odd(item.column);
    const Value partner = b_.integer(extent - 1) - pair;
    if (extent % 2 != 0) {
      const Value one = b_.integer(1), near = b_.select(far, b_.integer(0), one);
      item.active = item.active && pair < partner + near;
    }
    return b_.select(far, partner, pair);
  }

  /// Returns the index of the work-item's column, one of a pair (kernel::Mirror::points).
  Value beside_partner(WorkItem& item, Value pair, const kernel::Column& column) {
    const auto extent = static_cast<std::int64_t>(column.extent),
               half = std::int64_t{step_.tile} / 2;
    const Value zero = b_.integer(0);
    const ir::Condition first = ir::equal(pair, zero);
    const ir::Condition far = b_.integer(half - 1) < item.column;
    const Value near = b_.select(far, zero, b_.integer(1));
    const Value onwards = b_.integer(half), back = b_.integer(-half);
    const Value other = item.column + b_.select(far, back, onwards);
    item.partner_column = b_.select(first, item.column, other);
    item.holds_first = pair < near;
    if (extent % 2 != 0) item.active = item.active && zero < pair + near;
    const Value mirrored = b_.integer(extent) - pair;
    const Value partner = b_.select(first, b_.integer(extent / 2), mirrored);
    return b_.select(far, partner, pair);
  }

  /// Lets idle columns load the last one if loads have no condition.
  void limit(Value& number, Value most) {
    if (step_.group().loads_together) number = b_.binary(ir::Op::min, number, most);
  }

  /// Adds index * step; does nothing if step is 0.
  static void advance(Value& sum, Value index, std::uint64_t step) {
    if (step == 0) return;
    const Value product = index * static_cast<std::int64_t>(step);
    sum = sum.valid() ? sum + product : product;
  }

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
};

}  // namespace

WorkItem work_item_at(const Frame& frame, Value index, Value column) {
  return WorkItemFinder(frame).find(index, column);
}

WorkItem this_work_item(const Frame& frame, const kernel::Pass& pass) {
  const Value lid = frame.b.local_id(frame.step.work_group_size());
  const auto items = std::int64_t{frame.step.group().items};
  const auto place = kernel::coordinates_of(frame.step, items, pass.columns_fastest, lid);
  WorkItem item = work_item_at(frame, place.index, place.column);
  if (pass.reversed) item.reversed = is_odd(item.column);
  return item;
}

}  // namespace imago::blocks
