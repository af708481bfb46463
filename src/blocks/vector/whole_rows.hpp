// This file is the vector mapping's way of short transforms one after the other: a block of memory
// that registers hold, and no scratch.
#pragma once

#include "blocks/elements.hpp"
#include "blocks/lanes.hpp"
#include "blocks/vector/tile_load.hpp"
#include "blocks/vector/tile_store.hpp"

namespace imago::blocks {

class WholeRows {
 public:
  WholeRows(const TileSite& site, const TileLoad& load, const TileStore& store)
      : step_(site.f.step), site_(site), load_(load), store_(store) {}

  /// Whether the pass is the transform of such a block.
  bool fit(const Geometry& geometry) const;
  /// The block becomes points by a transposition, with the load hook; and back.
  Points load() const;
  void store(const Points& points) const;

 private:
  BlockVector vector(const TileSide& side, unsigned v) const;

  const plan::Step& step_;
  const TileSite& site_;
  const TileLoad& load_;
  const TileStore& store_;
};

}  // namespace imago::blocks
