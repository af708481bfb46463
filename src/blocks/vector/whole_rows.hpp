// This file is the vector mapping's way of short transforms one after the other: a block of memory
// that registers hold, and no scratch.
#pragma once

#include "blocks/lanes.hpp"
#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Whether the pass is the whole transform of such a block.
bool takes_whole_rows(const TileSite& site, const Geometry& geometry);
/// The block becomes points by a transposition, through as_loaded(); and back.
Points load_rows(const TileSite& site, const TileLoad& tile);
void store_rows(const TileSite& site, const TileStore& tile, const Points& points);

}  // namespace imago::blocks
