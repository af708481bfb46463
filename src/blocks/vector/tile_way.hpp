// This file is how the points of a tile meet global memory on a side: in blocks that are transposed
// on their way into lanes, or one by one.
#pragma once

#include <functional>

#include "blocks/vector/tile_edge.hpp"

namespace imago::blocks {

/// Blocks of vectors of interleaved complex numbers.
struct TileWay {
  unsigned points = 0;   ///< from block to block; 0: no blocks, points go one by one
  unsigned vectors = 0;  ///< of a block
  unsigned width = 0;    ///< real numbers in a vector
  bool rows = false;     ///< vector v is of column v; else all of them follow each other

  bool in_blocks() const { return points > 0; }
};

/// The way of points that lie as complex numbers in memory.
TileWay way_of(const TileSite& site, const TileEdge& edge, bool adjacent, std::uint64_t stride);

/// Calls body(first point) so that blocks cover the points that exist everywhere; the last two may
/// overlap.
void over_blocks(const TileSite& site, const TileEdge& edge, const TileWay& way,
                 const std::function<void(ir::Value)>& body);

/// The widest vectors of the step.
unsigned widest_vector(const plan::Step& step);

}  // namespace imago::blocks
