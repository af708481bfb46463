// This file implements the tile of a generic kernel.
#include "blocks/generic/tile.hpp"

#include <vector>

#include "blocks/rearrange.hpp"

namespace imago::blocks::generic {
namespace {

ir::Value wide(ir::Value value) { return value.builder().convert(value, {ir::Base::i64, 1}); }
ir::Value least(ir::Value a, ir::Value b) { return a.builder().binary(ir::Op::min, a, b); }
ir::Condition is_one(ir::Value value) { return equal(value, value.builder().integer(1)); }

}  // namespace

Tile::Tile(const Frame& f)
    : frame(f), b(f.b), lanes(f.step.generic()->lanes), items(f.step.generic()->items) {
  const bool rows = f.step.generic()->rows;
  ir::Value rest;
  first_number = f.first_number, scale = f.scale;
  if (rows) {
    rest = f.group();
    const ir::Value entry = f.first_number + rest * static_cast<int>(kernel::kGroupNumbers);
    row = b.load(f.numbers, entry);
    rest = b.load(f.numbers, entry + static_cast<int>(kernel::kGroupPart));
    first_number = row_number(kernel::kRowLines);
    scale = f.scale * b.load(f.table, row_number(kernel::kRowScale));
  }
  tile = vectors() ? b.integer(lanes) : number(kernel::kTile);
  pitch_ = tile;
  if (!vectors()) by_tile = {tile, number(kernel::kTileFactor), number(kernel::kTileShift)};
  if (rows && !vectors()) {
    const ir::Value odd = tile % 2, next = tile + 1;
    pitch_ = next - odd;  // without bank conflicts along points
  }
  points = number(kernel::kPoints);
  swaps = swaps_back = is_one(number(kernel::kSwap));
  if (rows) swaps_back = is_one(row_number(kernel::kRowSwapsBack));
  allocate();
  if (!rows) rest = f.group();
  place_lines(rest);
  load = end_of(kernel::kLoad, f.in, kernel::kRowIn, kernel::kRowInHigh);
}

void Tile::allocate() {
  // Vectors compute results in the memory, and half spectra have one result more than points.
  const std::int64_t places =
      static_cast<std::int64_t>(frame.step.length) / lanes + (vectors() ? 1 : 0);
  capacity_ = b.integer(places);
  const auto array = [&](const char* name) {
    const auto size = static_cast<std::size_t>(2 * places);
    return vectors() ? b.private_array(name, frame.real.with_lanes(lanes), size)
           : apart() ? b.local(name, frame.real, size)
                     : b.local(name, frame.real.with_lanes(2), size);
  };
  re_ = array(apart() ? "re" : "z");
  if (apart()) im_ = array("im");
}

/// Finds the lines of a work-group, of those of the launch or the row.
void Tile::place_lines(ir::Value rest) {
  const ir::Value tiles = number(kernel::kTiles);
  index_ = {rest % tiles * tile};
  rest = rest / tiles;
  lines = least(tile, number(kernel::kExtents) - column());
  const int dimensions =
      frame.step.generic()->rows ? kernel::kRowDimensions : kernel::kGenericDimensions;
  for (int d = 1; d < dimensions; ++d) {
    const ir::Value extent = number(kernel::kExtents + d);
    index_.push_back(rest % extent);
    rest = rest / extent;
  }
}

End Tile::store() const {
  return end_of(kernel::kStore, frame.out, kernel::kRowOut, kernel::kRowOutHigh);
}

/// `low` and `high` are the place of a row.
End Tile::end_of(int first, const FrameSide& side, kernel::GenericRow low,
                 kernel::GenericRow high) const {
  const auto at = [&](kernel::GenericEnd field) { return number(first + field); };
  End end;
  end.memory = side.memory;
  end.base = side.offset * wide(at(kernel::kUnit));
  for (int d = 0; d < static_cast<int>(index_.size()); ++d) {
    const ir::Value stride = number(first + kernel::kStrides + d);
    if (d == 0) end.lane_stride = stride;
    const ir::Value wide_stride = wide(stride),
                    place = wide(index_[static_cast<std::size_t>(d)]) * wide_stride;
    end.base = end.base + place;
  }
  end.point_stride = at(kernel::kPointStride), end.parts = at(kernel::kParts);
  end.edge = at(kernel::kEdge), end.conjugate = at(kernel::kConjugate);
  end.point_step = at(kernel::kPointStep), end.column_step = at(kernel::kColumnStep);
  end.first_list = at(kernel::kFirstList), end.second_list = at(kernel::kSecondList);
  end.first_table = at(kernel::kFirstTable), end.second_table = at(kernel::kSecondTable);
  end.entries = at(kernel::kTableEntries);
  if (frame.step.generic()->rows) {
    const ir::Value unit = b.integer(std::int64_t{1} << kernel::kRowPlaceBits, end.base.type());
    const ir::Value above = wide(row_number(high) + (-1)) * unit, below = wide(row_number(low));
    end.base = end.base + above + below;
  }
  return end;
}

void Tile::barrier() const {
  if (!vectors()) b.barrier();
}

void Tile::each(ir::Value count, const std::function<void(const At&)>& body,
                const ir::Condition& along, const Divisor& by) const {
  if (vectors()) return b.loop(count, [&](ir::Value point) { body({point}); });
  const ir::Value total = count * tile;
  Divisor by_fast = by_tile;
  if (!along.is_never())
    by_fast = {b.select(along, by.value, tile), b.select(along, by.factor, by_tile.factor),
               b.select(along, by.shift, by_tile.shift)};
  b.loop((total + (items - 1)) / items, [&](ir::Value round) {
    const ir::Value item = b.local_id(items), index = round * items + item;
    b.when(index < total, [&] {
      const ir::Value slow_index = by_fast.quotient(index),
                      fast_index = by_fast.rest(index, slow_index);
      if (along.is_never()) return body({slow_index, fast_index});
      const ir::Value point = b.select(along, fast_index, slow_index);
      const ir::Value lane = b.select(along, slow_index, fast_index);
      body({point, lane});
    });
  });
}

Cx Tile::get(ir::Value place) const {
  const ir::Value first = b.load(re_, place);
  if (apart()) return {first, b.load(im_, place)};
  return {b.extract(first, 0), b.extract(first, 1)};
}

void Tile::set(ir::Value place, const Cx& x) const {
  if (!apart()) return b.store(re_, place, b.pair(x.re, x.im));
  b.store(re_, place, x.re);
  b.store(im_, place, x.im);
}

ir::Value Tile::line_of(ir::Value lane) const { return least(lane, lines - b.integer(1)); }

Cx Tile::gathered(const At& at, const std::function<Cx(ir::Value line)>& one) const {
  if (!vectors()) return one(line_of(at.lane));
  Vectors re, im;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const Cx part = one(line_of(lane));
    re.push_back(part.re), im.push_back(part.im);
  }
  return {from_lanes(re), from_lanes(im)};
}

Cx Tile::factor(const End& end, ir::Value table, const At& at, ir::Value q) const {
  const auto part = [&](ir::Value first) {
    if (!vectors()) return b.load(frame.table, first + line_of(at.lane) * end.column_step);
    const ir::Value same = in_all_lanes(b.load(frame.table, first));
    const ir::Value adjacent = b.load(frame.table, first, lanes);
    return b.select(is_one(end.column_step), adjacent, same);
  };
  return {part(table + q), part(table + q + end.entries)};
}

Cx Tile::combined(const End& end, const At& at, ir::Value q, const Cx& first,
                  const Cx& second) const {
  const ir::Value conjugated = -second.im;
  const Cx other{second.re, b.select(is_one(end.conjugate), conjugated, second.im)};
  const Cx second_term = factor(end, end.second_table, at, q) * other;
  const Cx first_term = factor(end, end.first_table, at, q) * first;
  return first_term + second_term;
}

Cx Tile::factor_at(ir::Value pair) const {
  const ir::Value re = b.load(frame.table, pair * 2), im = b.load(frame.table, pair * 2 + 1);
  return {in_all_lanes(re), in_all_lanes(im)};
}

ir::Value Tile::in_all_lanes(ir::Value value) const {
  return vectors() ? b.splat(value, lanes) : value;
}

/// True if adjacent lines are adjacent complex numbers in memory.
ir::Condition Tile::has_adjacent_lines(const End& end) const {
  return equal(end.lane_stride, b.integer(2)) && is_one(end.parts) && all_lines();
}

/// True if adjacent points are adjacent complex numbers, and adjacent lines are not.
ir::Condition Tile::has_adjacent_points(const End& end) const {
  const ir::Value zero = b.integer(0);
  const ir::Value stride = b.select(equal(end.lane_stride, b.integer(2)), zero, end.point_stride);
  return equal(stride, b.integer(2)) && is_one(end.parts) && all_lines();
}

void Tile::in_vectors(const End& end, ir::Value count, const std::function<void(ir::Value)>& lines,
                      const std::function<void(ir::Value)>& points) const {
  const ir::Value width = b.integer(lanes / 2);
  b.when(has_adjacent_lines(end), [&] { b.loop(count, lines); });
  b.when(has_adjacent_points(end),
         [&] { b.loop(count / width, [&](ir::Value i) { points(i * width); }); });
}

ir::Value Tile::left_by_vectors(const End& end, ir::Value count) const {
  if (!vectors()) return count;
  const ir::Value part = count % (lanes / 2);
  const ir::Value rest = b.select(has_adjacent_points(end), part, count);
  const ir::Value none = b.integer(0);
  return b.select(has_adjacent_lines(end), none, rest);
}

ir::Value Tile::at_line(const End& end, ir::Value point, ir::Value line) const {
  const ir::Value across = line * end.lane_stride, along = point * end.point_stride;
  return end.base + wide(along + across);
}

ir::Value Tile::at_line(const End& end, ir::Value point, ir::Value line, ir::Value parts) const {
  const ir::Value across = line * end.lane_stride, along = point * end.point_stride + parts;
  return end.base + wide(along + across);
}

}  // namespace imago::blocks::generic
