// This file holds the vector mapping's way from a tile to global memory.
#include "blocks/vector/tile_store.hpp"

#include "base/integers.hpp"
#include "blocks/vector/lines.hpp"

namespace imago::blocks {

using ir::Value;

bool TileStore::meets_lines() const {
  return step_.at_store().joins ||
         (site_.columns == 1 && step_.line == step_.length && plan::is_any(step_.out.edge));
}

bool TileStore::meets_columns_apart() const {
  // Where lanes are points of one line of which only some exist, each goes its own way.
  const bool images_in_lanes =
      std::holds_alternative<plan::HalfSpectrum>(step_.out.edge) && side_.point_step != 0;
  return site_.columns > 1 && (!side_.adjacent || images_in_lanes);
}

// --- points as they lie
// ---------------------------------------------------------------------------

void TileStore::store(Value point, const Cx& x) const {
  // From lane to lane: columns that are no neighbours never come here in lanes.
  const std::uint64_t apart = site_.columns > 1 && side_.adjacent ? 1 : step_.out.stride;
  const Cx value = hooked(x);
  output_.point({index(point, {}), edge_->number(point, edge_->start({}))}, value, apart);
}

Value TileStore::index(Value element, Value column) const {
  return output_.index(side_.base_of(column), element);
}

/// An element of the line of one column.
void TileStore::element(Value element, Value column, const Cx& x) const {
  const Value at = index(element, column);
  output_.point({at, edge_->number(element, edge_->start(column))}, x);
}

// --- the tile from scratch
// ------------------------------------------------------------------------

void TileStore::copy(unsigned stage) const {
  if (!convolves() && meets_lines()) return LineStore(site_, *this).copy(stage);
  const std::uint64_t everywhere = edge_->everywhere(), somewhere = edge_->somewhere();
  const TileWay way = output_.is_interleaved()
                          ? way_of(site_, *edge_, side_.adjacent, step_.out.stride)
                          : TileWay{};
  if (way.in_blocks())
    copy_blocks(stage, way);
  else
    copy_elements(stage, 0, everywhere);
  copy_elements(stage, everywhere, somewhere);
  if (edge_->has_lone_element()) copy_lone_element();
}

void TileStore::copy_blocks(unsigned stage, const TileWay& way) const {
  const Value column = edge_->first_column();
  over_blocks(site_, *edge_, way, [&](Value point) {
    Points x(way.vectors / 2);
    for (std::size_t p = 0; p < x.size(); ++p)
      x[p] = fetch(stage, point + to_signed(p), way.width, column);
    const Value first = edge_->element(point);
    output_.block(x, [&](unsigned v) {
      if (way.rows) return BlockVector{index(first, b_.integer(v))};
      return BlockVector{index(first, column), v * way.width};
    });
  });
}

void TileStore::copy_elements(unsigned stage, std::uint64_t from, std::uint64_t to) const {
  b_.loop(to_signed(to - from), [&](Value i) {
    b_.loop(site_.columns, [&](Value column) {
      const Value point = i + to_signed(from);
      const Index own = edge_->position(point, column);
      b_.when(from < edge_->everywhere() ? Value{} : edge_->exists(own), [&] {
        const Cx x = fetch(stage, point, 1, column);
        element(edge_->element(point), column, x);
      });
    });
  });
}

void TileStore::copy_lone_element() const {
  b_.loop(site_.columns, [&](Value column) {
    const Cx x = hooked(site_.scratch.lone.load(b_, column, 1));
    element(b_.integer(0), column, x);
  });
}

Cx TileStore::fetch(unsigned stage, Value point, unsigned width, Value column) const {
  const Index own = edge_->position(point, column);
  const Cx x = site_.load(stage, edge_->place(point), width, column);
  return hooked(edge_->changed(x, own, {}));
}

}  // namespace imago::blocks
