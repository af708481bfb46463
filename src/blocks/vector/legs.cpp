// This file moves legs between global memory and registers through private memory.
#include "blocks/vector/legs.hpp"

#include "blocks/side_hooks.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

LaneCells cells_of(const Frame& f, const LegPlaces& legs) {
  const Value zero = f.b.real(0, f.real.with_lanes(legs.width));
  return {f.b, "legs", {{zero, zero}}, legs.count * legs.width};
}

}  // namespace

Points load_in_loop(const TileSite& site, const TileLoad& tile, const LegPlaces& legs) {
  ir::Builder& b = site.f.b;
  const unsigned width = legs.width;
  const LaneCells cells = cells_of(site.f, legs);
  b.loop(legs.count, [&](Value r) {
    cells.keep(r * std::int64_t{width}, {tile.load(legs.first + r * to_signed(legs.apart), width)});
  });
  Points x;
  for (unsigned r = 0; r < legs.count; ++r)
    x.push_back(cells.load(b.integer(std::int64_t{r} * width), width).x);
  return x;
}

void store_in_loop(const TileSite& site, const TileStore& tile, const LegPlaces& legs,
                   const Points& x) {
  ir::Builder& b = site.f.b;
  const unsigned width = legs.width;
  const LaneCells cells = cells_of(site.f, legs);
  for (unsigned s = 0; s < legs.count; ++s) cells.keep(b.integer(std::int64_t{s} * width), {x[s]});
  b.loop(legs.count, [&](Value s) {
    const Cx own = cells.load(s * std::int64_t{width}, width).x;
    tile.store(legs.first + s * to_signed(legs.apart), own);
  });
}

}  // namespace imago::blocks
