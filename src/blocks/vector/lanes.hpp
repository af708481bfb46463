// This file executes passes on the vector mapping's lanes, for one tile.
#pragma once

#include <functional>

#include "blocks/lanes.hpp"
#include "blocks/vector/tile.hpp"

namespace imago::blocks {

/// Calls passes(lanes) with the lanes of this tile.
void run_on_tile(const TileSite& site, const std::function<void(Lanes&)>& passes);

}  // namespace imago::blocks
