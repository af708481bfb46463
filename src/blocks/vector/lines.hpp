// This file loads and stores whole lines in the vector mapping, for edges that join points with
// their partners in private memory: half spectra, cosine and sine transforms.
#pragma once

#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Loads one line into private memory, as points of its DFT.
void load_line(const TileSite& site, const TileLoad& tile, unsigned buffer);
/// Stores the half spectrum, or the cosine or sine transform, that points in private memory
/// represent.
void store_line(const TileSite& site, const TileStore& tile, unsigned buffer);

}  // namespace imago::blocks
