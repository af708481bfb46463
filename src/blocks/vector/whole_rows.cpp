// This file moves blocks of short transforms between global memory and registers.
#include "blocks/vector/whole_rows.hpp"

#include "base/integers.hpp"

namespace imago::blocks {

bool WholeRows::fit(const Geometry& g) const {
  const unsigned columns = site_.columns;
  if (columns == 1 || !load_.copies() || !store_.copies()) return false;
  const plan::Convolution& c = step_.convolution;
  const bool chunks = 2 * g.radix % columns == 0;  // whole vectors per row: any distance will do
  return !c.load && !c.store && step_.plain() && !step_.in.planar && !step_.out.planar &&
         g.done == 1 && g.left == 1 && step_.in.stride == 1 && step_.out.stride == 1 &&
         (base::is_power_of_two(g.radix) || g.radix < columns / 2) &&
         (chunks || (step_.in.packed && step_.out.packed));
}

Points WholeRows::load() const {
  const auto count = static_cast<unsigned>(2 * step_.length);
  const Points block = Input(site_.f).block(count, site_.columns,
                                            [&](unsigned v) { return vector(site_.tile.in, v); });
  return load_.hooked(block, {{site_.f.b.integer(0), 0}, 1});
}

void WholeRows::store(const Points& points) const {
  Points block;
  for (const Cx& point : points) block.push_back(store_.hooked(point));
  Output(site_.f).block(block, [&](unsigned v) { return vector(site_.tile.out, v); });
}

/// Vector v of a block of rows of 2n real numbers.
BlockVector WholeRows::vector(const TileSide& side, unsigned v) const {
  const auto row = static_cast<unsigned>(2 * step_.length);
  const unsigned flat = v * site_.columns;
  if (row % site_.columns != 0) return {side.base, flat};
  return {side.base + side.stride * std::int64_t{flat / row}, flat % row};
}

}  // namespace imago::blocks
