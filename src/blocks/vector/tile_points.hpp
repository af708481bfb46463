// This file describes the points of a tile in the vector mapping: which ones exist, their places in
// private memory, and their changes during load and store. These are what distinguish the start and
// the end of a convolution.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/vector/tile.hpp"

namespace imago::blocks {

/// The properties of the points that are known in advance.
struct PointFacts {
  std::uint64_t everywhere = 0;  ///< points with an element in every column
  std::uint64_t somewhere = 0;   ///< points with an element in some column
  ir::Value number;  ///< number of the first column's element 0 in its line; not valid: 0
  std::uint64_t number_step = 0;  ///< between adjacent columns
  /// True if adjacent points have adjacent elements, places in private memory and factors.
  bool in_order = true;
  bool lone_element = false;  ///< element 0 stays outside the convolution
};

/// The points of a tile on one side. The base class describes a tile without convolution.
class TilePoints {
 public:
  explicit TilePoints(const PointFacts& facts) : facts_(facts) {}
  virtual ~TilePoints() = default;
  const PointFacts& facts() const { return facts_; }

  /// Return the number in its line of a column's element 0, and of any element.
  ir::Value start(ir::Value column) const;
  virtual ir::Value number(ir::Value element, ir::Value start) const = 0;
  /// Returns the column of lane 0; not valid: the tile's first column.
  virtual ir::Value first_column() const { return {}; }
  /// Return the element of a point, and its place in private memory.
  virtual ir::Value element(ir::Value point) const { return point; }
  virtual ir::Value place(ir::Value point) const { return point; }

  /// Returns the number of a point, for lanes from `column` on. The next two functions use it.
  virtual Index position(ir::Value, ir::Value) const { return {}; }
  /// Returns the condition that the element exists.
  virtual ir::Condition exists(const Index&) const { return ir::Condition::always(); }
  /// Returns the changed points, after as_loaded() or before as_stored(). If `condition` is false,
  /// zero stays zero.
  virtual Cx changed(const Cx& x, const Index&, const ir::Condition& /*condition*/) const {
    return x;
  }

 private:
  const PointFacts facts_;
};

using TilePointsPtr = std::unique_ptr<const TilePoints>;
TilePointsPtr points_in(const TileSite& site);
TilePointsPtr points_out(const TileSite& site);

}  // namespace imago::blocks
