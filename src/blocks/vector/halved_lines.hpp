// This file moves whole lines of DCT and DST of types II and III through half as many points
// (blocks/edges/half_cosines.hpp) in the vector mapping, with lanes along points.
#pragma once

#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Loads a line to scratch, as points of its DFT.
void load_halved_line(const TileSite& site, const TileLoad& tile, unsigned stage);
/// Stores the line that points in scratch stand for; behind them is a copy of the first one.
void store_halved_line(const TileSite& site, const TileStore& tile, unsigned stage);

}  // namespace imago::blocks
