// This file moves blocks of short transforms between global memory and registers.
#include "blocks/vector/whole_rows.hpp"

#include "base/integers.hpp"

namespace imago::blocks {
namespace {

/// Returns the vectors of a block of rows of 2n real numbers.
BlockVectors vectors(const TileSite& site, const TileSide& side) {
  return [&site, &side](unsigned v) -> BlockVector {
    const auto row = static_cast<unsigned>(2 * site.f.step.length);
    const unsigned flat = v * site.columns;
    if (row % site.columns != 0) return {side.base, flat};
    return {side.base + side.stride * std::int64_t{flat / row}, flat % row};
  };
}

}  // namespace

bool takes_whole_rows(const TileSite& site, const Geometry& g) {
  const kernel::Step& step = site.f.step;
  const unsigned columns = site.columns;
  if (!g.first || !g.last || columns == 1 || site.present > 0) return false;
  const bool chunks = 2 * g.radix % columns == 0;  // whole vectors per row, at any distance
  return step.bare() && !step.convolution.is_any() && !step.in.planar && !step.out.planar &&
         g.done == 1 && g.left == 1 && step.in.stride == 1 && step.out.stride == 1 &&
         (base::is_power_of_two(g.radix) || g.radix < columns / 2) &&
         (chunks || (step.in.packed && step.out.packed));
}

Points load_rows(const TileSite& site, const TileLoad& tile) {
  const auto count = static_cast<unsigned>(2 * site.f.step.length);
  const Points block = Input(site.f).block(count, site.columns, vectors(site, site.tile.in));
  return tile.as_loaded(block, {{site.f.b.integer(0), 0}, 1});
}

void store_rows(const TileSite& site, const TileStore& tile, const Points& points) {
  Points block;
  for (const Cx& point : points) block.push_back(tile.as_stored(point));
  Output(site.f).block(block, vectors(site, site.tile.out));
}

}  // namespace imago::blocks
