// This file moves a tile of the vector mapping between global and private memory. It moves single
// points if the lanes can use them in their layout, else it copies the whole tile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "blocks/elements.hpp"
#include "blocks/vector/tile_points.hpp"

namespace imago::blocks {

/// The common part of both directions: which points are moved together, and their places.
class TileCopy {
 public:
  TileCopy(const TileCopy&) = delete;
  TileCopy& operator=(const TileCopy&) = delete;
  /// Returns the number of points with an element in some column; there is nothing to load or store
  /// beyond it.
  std::uint64_t point_count() const { return points_->facts().somewhere; }

 protected:
  using Value = ir::Value;

  /// A block of vectors that is transposed between memory and lanes.
  struct Block {
    unsigned points = 0;   ///< between consecutive blocks; 0: no blocks, single points
    unsigned vectors = 0;  ///< vectors per block
    unsigned width = 0;    ///< real numbers per vector
    bool rows = false;     ///< vector v belongs to column v; else vectors are contiguous
  };
  using OnBlock = std::function<void(Value point, Value column)>;
  using OnPoint = std::function<void(Value point, Value column, const ir::Condition& exists)>;

  TileCopy(const TileSite& site, const TileSide& tile, const kernel::Side& side,
           TilePointsPtr points);
  virtual ~TileCopy() = default;
  /// Returns the index of an element of a column's line, in elements of the side.
  virtual Value index(Value element, Value column) const = 0;

  /// Returns true if the lanes are columns that are not adjacent, or points of one line that do not
  /// all exist.
  bool meets_columns_apart() const;
  /// Returns true if the points of one transform are a whole line with an edge.
  bool has_whole_line() const;
  Block block() const;
  /// Calls one of the two functions for each point: all points in blocks, or one column's.
  void over_tile(const Block& block, const OnBlock& on_block, const OnPoint& on_point) const;
  void over_columns(const std::function<void(Value column)>& body) const;
  BlockVectors vectors(const Block& block, Value point, Value column) const;
  /// Returns a vector for each of two transforms that share the lanes, starting at `point`.
  BlockVectors abreast(Value point) const;
  Point element(Value element, Value column) const;
  /// Returns the distance between lanes, if points are used in their layout in memory.
  std::uint64_t apart() const;
  Spread spread(unsigned width) const;

  const TileSite& site_;
  ir::Builder& b_;
  const TileSide& tile_;
  const kernel::Side& side_;
  const TilePointsPtr points_;

 private:
  void over_blocks(const Block& block, const OnBlock& body) const;
  void over_points(std::uint64_t from, std::uint64_t to, const OnPoint& body) const;
};

class TileLoad final : public TileCopy {
 public:
  explicit TileLoad(const TileSite& site);
  /// Returns true if the tile goes through private memory: lanes do not find their points side by
  /// side, or points are joined with partners, or a convolution begins.
  bool copies() const;
  /// Copies global to private memory, through as_loaded(). After a convolution's points it writes
  /// zeros up to the next multiple of `leg`, the distance between a butterfly's inputs. The first
  /// pass treats all later inputs as zero.
  void copy(unsigned buffer, std::uint64_t leg) const;
  /// Loads `width` points directly from global memory, before as_loaded().
  Cx load(ir::Value point, unsigned width) const;
  /// Returns true if `legs` loads need a loop, because the text of hooks is long.
  bool needs_loop(ir::Value point, unsigned width, unsigned legs) const;
  /// Loads `width` elements of the line instead of points.
  Cx load_element(ir::Value number, unsigned width) const;
  /// Returns the transform's points, in lanes or for one of the columns.
  Points as_loaded(const Points& x, const Legs& legs, ir::Value column = {}) const;

 private:
  bool loads_lines() const;
  /// Loads the first `present` lanes of a vector, whose other lanes repeat some of them.
  Cx load_present(const Point& at, unsigned width, unsigned present) const;
  Value index(Value element, Value column) const override;
  void keep(unsigned buffer, Value point, Value column, const Cx& x,
            const ir::Condition& exists) const;
  void copy_zeros(unsigned buffer, std::uint64_t leg) const;
  void copy_lone_element() const;

  const Input input_;
};

class TileStore final : public TileCopy {
 public:
  explicit TileStore(const TileSite& site);
  /// Returns true under the conditions of TileLoad::copies(), with the end of a convolution instead
  /// of its start.
  bool copies() const;
  /// Copies private to global memory, through as_stored().
  void copy(unsigned buffer) const;
  /// Stores points directly to global memory, in lanes or for one column, through as_stored().
  void store(ir::Value point, const Cx& x, ir::Value column = {}) const;
  bool needs_loop(ir::Value point, unsigned width, unsigned legs) const;
  Cx as_stored(const Cx& x) const { return blocks::as_stored(site_.f, x); }

 private:
  bool stores_lines() const;
  /// Stores the first `present` lanes of a vector.
  void store_present(const Point& at, const Cx& x, unsigned present) const;
  Value index(Value element, Value column) const override;
  Cx fetch(unsigned buffer, Value point, Value column, unsigned width) const;
  void copy_lone_element() const;

  const kernel::Step& step_;
  const Output output_;
};

}  // namespace imago::blocks
