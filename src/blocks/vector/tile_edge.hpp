// This file is what sets the way into a convolution, and out of it, apart from any other between
// global memory and the vector mapping's scratch: which points there are, where they go, and what
// becomes of them.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/vector/tile.hpp"

namespace imago::blocks {

/// One side of a tile. What is virtual here is that of a tile without convolution.
class TileEdge {
 public:
  virtual ~TileEdge() = default;
  /// So many points have an element in every column, and so many in some column.
  virtual std::uint64_t everywhere() const = 0;
  virtual std::uint64_t somewhere() const = 0;
  /// The number in its line of element 0 of a column, where no column is given of the tile's first
  /// one; and that of an element. Not valid: 0.
  virtual ir::Value start(ir::Value column) const = 0;
  virtual ir::Value number(ir::Value element, ir::Value start) const = 0;

  /// The column of lane 0; not valid: the tile's first one.
  virtual ir::Value first_column() const { return {}; }
  /// The element of a point, and the place of it in scratch.
  virtual ir::Value element(ir::Value point) const { return point; }
  virtual ir::Value place(ir::Value point) const { return point; }
  /// Whether neighbouring points have neighbouring elements and places, in the order of a table of
  /// factors.
  virtual bool in_order() const { return true; }
  /// Rader's element 0 goes a way of its own.
  virtual bool has_lone_element() const { return false; }

  /// What the next two ask for: the number of a point, lanes from `column` on.
  virtual Index position(ir::Value, ir::Value) const { return {}; }
  /// Whether there is an element; not valid: always.
  virtual ir::Value exists(const Index&) const { return {}; }
  /// Points on their way, after the load hook or before the store hook; zero stays where
  /// `condition` is not met.
  virtual Cx changed(const Cx& x, const Index&, ir::Value /*condition*/) const { return x; }
};

std::unique_ptr<const TileEdge> edge_in(const TileSite& site);
std::unique_ptr<const TileEdge> edge_out(const TileSite& site);

}  // namespace imago::blocks
