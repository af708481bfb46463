// This file holds the vector mapping's way of whole lines whose points meet their partners in
// scratch: half spectra, cosine and sine transforms.
#pragma once

#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// One line to scratch, as points of its DFT.
void load_line(const TileSite& site, const TileLoad& tile, unsigned stage);
/// Points in scratch become the half spectrum that they stand for, or sums of cosines.
void store_line(const TileSite& site, const TileStore& tile, unsigned stage);

}  // namespace imago::blocks
