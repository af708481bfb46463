// This file moves the legs of a butterfly in a loop, if their hooks would make a kernel too long.
#pragma once

#include <cstdint>

#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {

/// Points of a butterfly in global memory.
struct LegPlaces {
  ir::Value first;
  unsigned count = 1;
  std::uint64_t apart = 1;  ///< points between legs
  unsigned width = 1;       ///< points of a leg
};

Points load_in_loop(const TileSite& site, const TileLoad& tile, const LegPlaces& legs);
void store_in_loop(const TileSite& site, const TileStore& tile, const LegPlaces& legs,
                   const Points& x);

}  // namespace imago::blocks
