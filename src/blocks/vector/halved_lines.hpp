// This file loads and stores whole lines of DCT and DST of types II and III that use half as many
// points (blocks/edges/half_cosines.hpp). It belongs to the vector mapping, with lanes along
// points.
#pragma once

#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Loads a line into private memory, as points of its DFT.
void load_halved_line(const TileSite& site, const TileLoad& tile, unsigned buffer);
/// Stores the line that the points in private memory represent; a copy of the first point follows
/// the last one.
void store_halved_line(const TileSite& site, const TileStore& tile, unsigned buffer);

}  // namespace imago::blocks
