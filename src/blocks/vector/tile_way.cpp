// This file chooses how the points of a tile meet global memory.
#include "blocks/vector/tile_way.hpp"

#include <algorithm>

#include "base/integers.hpp"

namespace imago::blocks {

unsigned widest_vector(const plan::Step& step) {
  unsigned width = 1;
  for (const plan::Pass& pass : step.passes) width = std::max(width, pass.width);
  return width;
}

void over_blocks(const TileSite& site, const TileEdge& edge, const TileWay& way,
                 const std::function<void(ir::Value)>& body) {
  ir::Builder& b = site.f.b;
  const std::uint64_t count = edge.everywhere();
  b.loop(to_signed(base::ceil_divide(count, way.points)), [&](ir::Value i) {
    // Only for the numbers of values in recorded kernels: Rader's places have this bound, too.
    if (way.rows && edge.has_lone_element()) b.integer(to_signed(count - way.points));
    body(along(b, i, way.points, count));
  });
}

TileWay way_of(const TileSite& site, const TileEdge& edge, bool adjacent, std::uint64_t stride) {
  const unsigned columns = site.columns;
  if (columns > 1 && adjacent) return {1, 2, columns, false};
  if (stride != 1) return {};
  // Columns whose points lie side by side, half a vector's points at a time.
  if (columns > 1 && edge.everywhere() >= columns / 2) return {columns / 2, columns, columns, true};
  const unsigned width = widest_vector(site.f.step);
  if (columns == 1 && edge.in_order() && width > 1 && edge.everywhere() >= width)
    return {width, 2, width, false};
  return {};
}

}  // namespace imago::blocks
