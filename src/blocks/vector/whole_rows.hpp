// This file moves short transforms that are contiguous in memory directly between global memory and
// registers, in the vector mapping. It needs no private memory.
#pragma once

#include "blocks/lanes.hpp"
#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Returns true if the pass is the whole transform of such a block.
bool takes_whole_rows(const TileSite& site, const Geometry& geometry);
/// Load a block as points by a transposition, through as_loaded(); and store them.
Points load_rows(const TileSite& site, const TileLoad& tile);
void store_rows(const TileSite& site, const TileStore& tile, const Points& points);

}  // namespace imago::blocks
