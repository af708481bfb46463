// This file holds the vector mapping's way from global memory to a tile.
#include "blocks/vector/tile_load.hpp"

#include "base/integers.hpp"
#include "blocks/vector/lines.hpp"

namespace imago::blocks {

using ir::Value;

bool TileLoad::meets_lines() const {
  return site_.columns == 1 && step_.line == step_.length && plan::is_any(step_.in.edge);
}

bool TileLoad::meets_columns_apart() const {
  // Where lanes are points of one line of which only some exist, each goes its own way.
  const bool images_in_lanes =
      std::holds_alternative<plan::HalfSpectrum>(step_.in.edge) && side_.point_step != 0;
  return site_.columns > 1 && (!side_.adjacent || images_in_lanes);
}

// --- points as they lie
// ---------------------------------------------------------------------------

Cx TileLoad::load(Value point, unsigned width) const {
  // From lane to lane: columns that are no neighbours never come here in lanes.
  const std::uint64_t apart = site_.columns > 1 && side_.adjacent ? 1 : step_.in.stride;
  return input_.point({index(point, {}), edge_->number(point, edge_->start({}))}, {width, apart});
}

Points TileLoad::hooked(const Points& x, const Legs& legs, Value column) const {
  Index phase{site_.tile.phase, site_.columns > 1 ? site_.tile.phase_step : 0};
  if (column.valid()) {
    if (phase.base.valid()) phase.base = phase.base + column * std::int64_t{phase.step};
    phase.step = 0;
  }
  return load_hook(f_, x, legs, phase);
}

Value TileLoad::index(Value element, Value column) const {
  return input_.index(side_.base_of(column), element);
}

/// An element of the line of one column.
Cx TileLoad::element(Value element, Value column, Value condition) const {
  const Value at = index(element, column);
  return input_.point({at, edge_->number(element, edge_->start(column))}, {}, condition);
}

// --- the tile to scratch
// --------------------------------------------------------------------------

void TileLoad::copy(unsigned stage, std::uint64_t leg) const {
  if (!convolves() && meets_lines()) return LineLoad(site_, *this).copy(stage);
  const std::uint64_t everywhere = edge_->everywhere(), somewhere = edge_->somewhere();
  const TileWay way =
      input_.is_interleaved() ? way_of(site_, *edge_, side_.adjacent, step_.in.stride) : TileWay{};
  if (way.in_blocks())
    copy_blocks(stage, way);
  else
    copy_elements(stage, 0, everywhere);
  copy_elements(stage, everywhere, somewhere);
  copy_zeros(stage, somewhere, base::ceil_divide(somewhere, leg) * leg);
  if (edge_->has_lone_element()) copy_lone_element();
}

void TileLoad::copy_blocks(unsigned stage, const TileWay& way) const {
  const Value column = edge_->first_column();
  over_blocks(site_, *edge_, way, [&](Value point) {
    const Value first = edge_->element(point);
    const auto vector = [&](unsigned v) {
      if (way.rows) return BlockVector{index(first, b_.integer(v))};
      return BlockVector{index(first, column), v * way.width};
    };
    const Points x = hooked(input_.block(way.vectors, way.width, vector), {{point, 0}, 1});
    for (std::size_t p = 0; p < x.size(); ++p) keep(stage, point + to_signed(p), column, x[p], {});
  });
}

void TileLoad::copy_elements(unsigned stage, std::uint64_t from, std::uint64_t to) const {
  b_.loop(to_signed(to - from), [&](Value i) {
    b_.loop(site_.columns, [&](Value column) {
      const Value point = i + to_signed(from);
      const Index own = edge_->position(point, column);
      const Value there = from < edge_->everywhere() ? Value{} : edge_->exists(own);
      const Cx raw = element(edge_->element(point), column, there);
      keep(stage, point, column, hooked({raw}, {{point, 0}, 1}, column)[0], there);
    });
  });
}

void TileLoad::copy_zeros(unsigned stage, std::uint64_t from, std::uint64_t to) const {
  const Value zero = b_.real(0, f_.real.with_lanes(site_.columns));
  b_.loop(to_signed(to - from), [&](Value i) {
    site_.store(stage, i + to_signed(from), {zero, zero});
  });
}

void TileLoad::copy_lone_element() const {
  const Value first = b_.integer(0);
  b_.loop(site_.columns, [&](Value column) {
    const Points x = hooked({element(first, column, {})}, {{first, 0}, 1}, column);
    site_.scratch.lone.store(b_, column, x[0]);
  });
}

void TileLoad::keep(unsigned stage, Value point, Value column, const Cx& x, Value condition) const {
  const Cx changed = edge_->changed(x, edge_->position(point, column), condition);
  site_.store(stage, edge_->place(point), changed, column);
}

}  // namespace imago::blocks
