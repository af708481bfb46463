// This file says which points a tile of the vector mapping has, where in scratch they go, and what
// becomes of them on the way: what sets the way into a convolution, and out of it, apart.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/vector/tile.hpp"

namespace imago::blocks {

/// What is known of the points beforehand.
struct PointFacts {
  std::uint64_t everywhere = 0;   ///< so many have an element in every column
  std::uint64_t somewhere = 0;    ///< so many have one in some column
  ir::Value number;               ///< of the first column's element 0 in its line; invalid: 0
  std::uint64_t number_step = 0;  ///< from column to column
  /// Neighbouring points have neighbouring elements, places in scratch and factors.
  bool in_order = true;
  bool lone_element = false;  ///< element 0 stays beside the convolution
};

/// The points of a tile on one side. What is not overridden is that of a tile without convolution.
class TilePoints {
 public:
  explicit TilePoints(const PointFacts& facts) : facts_(facts) {}
  virtual ~TilePoints() = default;
  const PointFacts& facts() const { return facts_; }

  /// The number in its line of a column's element 0, and of an element.
  ir::Value start(ir::Value column) const;
  virtual ir::Value number(ir::Value element, ir::Value start) const = 0;
  /// The column of lane 0; not valid: the tile's first one.
  virtual ir::Value first_column() const { return {}; }
  /// The element of a point, and the place of it in scratch.
  virtual ir::Value element(ir::Value point) const { return point; }
  virtual ir::Value place(ir::Value point) const { return point; }

  /// What the next two ask for: the number of a point, lanes from `column` on.
  virtual Index position(ir::Value, ir::Value) const { return {}; }
  /// Whether there is an element; not valid: always.
  virtual ir::Value exists(const Index&) const { return {}; }
  /// Points on their way, after as_loaded() or before as_stored(); zero stays where
  /// `condition` is not met.
  virtual Cx changed(const Cx& x, const Index&, ir::Value /*condition*/) const { return x; }

 private:
  const PointFacts facts_;
};

using TilePointsPtr = std::unique_ptr<const TilePoints>;
TilePointsPtr points_in(const TileSite& site);
TilePointsPtr points_out(const TileSite& site);

}  // namespace imago::blocks
