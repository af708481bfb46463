// This file computes the indices and places of elements on hooked sides.
#include "blocks/hooked_array.hpp"

#include <bit>
#include <variant>

#include "base/integers.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns a value that a division does not split into terms. Numbers are not negative, but terms
/// of their sums may be: those of partners are counted back from the end of a line. Divisions
/// distribute over the terms of sums and must not see negative ones.
Value undivided(Value number) {
  return number.builder().binary(ir::Op::max, number, number.builder().integer(0, number.type()));
}

Value quotient(Value number, std::uint64_t divisor) {
  if (divisor == 1) return number;
  ir::Builder& b = number.builder();
  if (base::is_power_of_two(divisor))
    return b.binary(ir::Op::shift_right, number,
                    b.integer(std::countr_zero(divisor), number.type()));
  return undivided(number) / base::to_signed(divisor);
}

Value remainder(Value number, std::uint64_t divisor) {
  ir::Builder& b = number.builder();
  if (base::is_power_of_two(divisor))
    return b.binary(ir::Op::bit_and, number,
                    b.integer(base::to_signed(divisor) - 1, number.type()));
  return undivided(number) % base::to_signed(divisor);
}

}  // namespace

ArrayLines lines_of(const Frame& frame, const kernel::Side& side) {
  const kernel::Step& step = frame.step;
  const bool pairs = side.elements == kernel::Elements::pairs;
  const bool in = &side == &step.in;
  ArrayLines lines{*side.hooked, side.line_stride(), pairs ? side.pair_stride : 0};
  lines.run = in ? step.passes.front().left : step.passes.back().done;
  // Elements of a side with an edge are copied starting at the first one, but those of cosine and
  // sine transforms starting at the second one.
  if (kernel::is_any(side.edge) && !std::holds_alternative<kernel::RightAngle>(side.edge) &&
      !std::holds_alternative<kernel::Halves>(side.edge))
    lines.run = std::holds_alternative<kernel::Cosines>(side.edge) ? 1 : 0;
  if (!step.columns.empty()) {
    const kernel::Column& fastest = step.columns[0];
    lines.column_stride = in ? fastest.in.stride : fastest.out.stride;
  }
  return lines;
}

ir::Condition is_below(Value index, std::uint64_t end) {
  ir::Builder& b = index.builder();
  const auto [variable, least] = b.split(index);
  if (least >= base::to_signed(end) && b.sums().never_negative(variable))
    return ir::Condition::never();
  return index < base::to_signed(end);
}

ir::Condition is_from(Value index, std::uint64_t begin) {
  if (begin == 0) return ir::Condition::always();
  ir::Builder& b = index.builder();
  const auto [variable, least] = b.split(index);
  if (least >= base::to_signed(begin) && b.sums().never_negative(variable))
    return ir::Condition::always();
  if (const auto most = b.largest(index); most && *most < base::to_signed(begin))
    return ir::Condition::never();
  return b.integer(base::to_signed(begin) - 1, index.type()) < index;
}

Value HookedArray::narrowed(Value number) const {
  return array_.wide ? number : b_.convert(number, {ir::Base::i32, 1});
}

Numbers HookedArray::lane(const Numbers& at, unsigned lane) const {
  Numbers one{at.first + base::to_signed(lane * at.spread.apart)};
  if (at.in_line.valid())
    one.in_line = at.spread.along_line
                      ? at.in_line + base::to_signed(lane * at.spread.apart / lines_.stride)
                      : at.in_line;
  return one;
}

Numbers HookedArray::lane(const Numbers& at, Value lane) const {
  const ir::Type wide{ir::Base::i64, 1};
  return {at.first + b_.convert(lane, wide) * base::to_signed(at.spread.apart)};
}

std::optional<std::size_t> HookedArray::dimension_of(const Spread& spread) const {
  const auto is = [&](std::size_t d, std::uint64_t stride, std::uint64_t extent, bool some) {
    const std::uint64_t n = array_.lengths[d];
    return array_.stride(d) == stride && (extent == 0 || extent == n || (some && extent < n));
  };
  for (std::size_t d = 0; d < array_.lengths.size(); ++d) {
    if (array_.lengths[d] == 1) continue;
    if (spread.along_line) {
      // Elements of a line of pairs are two numbers apart.
      if (array_.line_axis == static_cast<int>(d) &&
          (is(d, lines_.stride, 0, false) || is(d, lines_.pair_stride, 0, false)))
        return d;
    } else if (!step_.columns.empty()) {
      // Lines may be only some of a dimension's (lines/pruning.hpp).
      const kernel::Column& columns = step_.columns[0];
      const bool loop = columns.in.point == 0 && columns.out.point == 0;
      if (is(d, lines_.column_stride, columns.extent, loop)) return d;
    }
  }
  return {};
}

std::optional<std::uint64_t> HookedArray::moves(const Group& group, const Spread& spread) const {
  const std::uint64_t apart = spread.apart, end = group.stride * group.extent;
  if (spread.width == 1) return 0;
  if (end != 0 && apart % end == 0) return 0;
  if (const auto d = dimension_of(spread)) {
    const std::uint64_t from = array_.stride(*d), to = from * array_.lengths[*d];
    if (to <= group.stride) return 0;
    if (from >= group.stride && (end == 0 || to <= end) && apart % group.stride == 0)
      return apart / group.stride;
  }
  // Vectors begin at multiples of their span if extents and pairs are multiples of it.
  const std::uint64_t span = apart * spread.width;
  if (lines_.pair_stride % span != 0) return {};
  if (apart % group.stride == 0 && (end == 0 || end % span == 0)) return apart / group.stride;
  if (group.stride % span == 0) return 0;
  return {};
}

bool HookedArray::aligned(std::size_t axis, const Numbers& at) const {
  const auto own = index(axis, at);
  const unsigned width = at.spread.width;
  if (width == 1) return true;
  if (!own) return false;
  if (own->apart == 0) return true;
  if (array_.lengths[axis] % (own->apart * width) != 0) return false;
  // The numbers of a pair begin at even indices.
  if (at.spread.along_line && width == 2 && lines_.pair_stride == at.spread.apart) return true;
  if (at.spread.along_line) return lines_.run % width == 0;
  // Columns that are parts of a line begin anywhere in it.
  const bool parts =
      !step_.columns.empty() && (step_.columns[0].in.point != 0 || step_.columns[0].out.point != 0);
  return !parts || step_.columns[0].extent % width == 0;
}

std::optional<LaneIndex> HookedArray::index(const Group& group, const Numbers& at) const {
  const auto apart = moves(group, at.spread);
  if (!apart) return {};
  if (at.in_line.valid() && array_.line_axis >= 0) {
    const auto axis = static_cast<std::size_t>(array_.line_axis);
    if (group.stride == array_.stride(axis) && group.extent == array_.lengths[axis])
      return LaneIndex{at.in_line, *apart};
  }
  return LaneIndex{index_of_lane(group, at.first), *apart};
}

/// Numbers are sums of a line's start and an index in it. If the index does not leave the group,
/// the terms determine the result without a division.
Value HookedArray::index_of_lane(const Group& group, Value number) const {
  const std::uint64_t end = group.extent == 0 ? group.stride : group.stride * group.extent;
  const ir::Parts parts = b_.sums().parts(number, base::to_signed(end));
  const bool ends = group.extent != 0;
  const Value none = b_.integer(0), rest = parts.rest.valid() ? parts.rest : none;
  const auto most = b_.largest(rest);
  if (most && *most < base::to_signed(end) && b_.sums().never_negative(rest)) {
    if (ends) return narrowed(rest) / base::to_signed(group.stride);
    return parts.multiple.valid() ? quotient(narrowed(parts.multiple), group.stride) : none;
  }
  if (const auto index = index_by_line(group, number)) return *index;
  if (!ends) return quotient(narrowed(number), group.stride);
  // The low bits of the number are the remainder.
  if (base::is_power_of_two(end)) number = rest;
  return remainder(quotient(narrowed(number), group.stride), group.extent);
}

/// Divides only the start of the element's line, which is the same for all elements of a work-item.
std::optional<Value> HookedArray::index_by_line(const Group& group, Value number) const {
  if (array_.line_axis < 0) return {};
  const auto axis = static_cast<std::size_t>(array_.line_axis);
  const std::uint64_t line = array_.stride(axis) * array_.lengths[axis];
  const ir::Parts parts = b_.sums().parts(number, base::to_signed(line));
  if (!parts.multiple.valid() || !parts.rest.valid()) return {};
  const auto most = b_.largest(parts.rest);
  if (!most || *most >= base::to_signed(line) || !b_.sums().never_negative(parts.rest)) return {};
  const Value start = narrowed(parts.multiple);
  if (group.stride % line == 0) {
    const Value index = quotient(start, group.stride);
    return group.extent == 0 ? index : remainder(index, group.extent);
  }
  const std::uint64_t end = group.stride * group.extent;
  if (end == 0 || end % line != 0) return {};
  const Value rest = narrowed(parts.rest);
  return (remainder(start, end) + rest) / base::to_signed(group.stride);
}

Value HookedArray::number_in_member(const Numbers& at) const {
  return index_of_lane(Group{1, array_.size(), 1}, at.first);
}

std::optional<LaneIndex> HookedArray::index(std::size_t axis, const Numbers& at) const {
  return index(Group{array_.stride(axis), array_.lengths[axis], 1}, at);
}

std::optional<LaneIndex> HookedArray::member(const Numbers& at) const {
  return index(Group{array_.size(), 0, 1}, at);
}

std::vector<HookedArray::Group> HookedArray::groups_of(const kernel::Strided& memory) const {
  std::vector<Group> groups;
  const auto add = [&](const Group& group) {
    if (group.extent == 1 || group.apart == 0) return;
    if (!groups.empty()) {
      Group& inner = groups.back();
      const std::uint64_t end = inner.stride * inner.extent;
      if (group.stride == end && group.apart == inner.apart * inner.extent) {
        inner.extent *= group.extent;
        return;
      }
    }
    groups.push_back(group);
  };
  for (std::size_t d = array_.lengths.size(); d-- > 0;)
    add({array_.stride(d), array_.lengths[d], memory.strides[d]});
  add({array_.size(), 0, memory.distance});
  return groups;
}

std::optional<LaneIndex> HookedArray::place(const kernel::Strided& memory,
                                            const Numbers& at) const {
  const ir::Type wide{ir::Base::i64, 1};
  LaneIndex place{b_.integer(-base::to_signed(memory.before), wide), 0};
  for (const Group& group : groups_of(memory)) {
    if (group.stride == 1 && group.apart == 1 && group.extent == 0) {
      // The place is the number itself.
      place.first = place.first + at.first;
      place.apart += at.spread.apart;
      continue;
    }
    const auto own = index(group, at);
    if (!own) return {};
    place.first = place.first + b_.convert(own->first, wide) * base::to_signed(group.apart);
    place.apart += own->apart * group.apart;
  }
  return place;
}

std::optional<Numbers> HookedArray::rotated(std::size_t axis, std::uint64_t by,
                                            const Numbers& at) const {
  const auto own = index(axis, at);
  if (!own) return {};
  const std::uint64_t n = array_.lengths[axis], stride = array_.stride(axis);
  const std::uint64_t span = own->apart * at.spread.width;
  if (own->apart != 0 && (!aligned(axis, at) || by % span != 0)) return {};
  const ir::Condition wraps = is_from(own->first, n - by);
  const ir::Type wide{ir::Base::i64, 1};
  const Value onwards = b_.integer(base::to_signed(by * stride), wide);
  const Value back = b_.integer(base::to_signed(by * stride) - base::to_signed(n * stride), wide);
  const Value moved = b_.select(wraps, back, onwards);
  return Numbers{at.first + moved, at.spread};
}

}  // namespace imago::blocks
