// This file holds the vector mapping's way between global memory and a tile: single points where
// lanes meet them as they lie, else a copy of the whole tile to scratch, or from it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "blocks/elements.hpp"
#include "blocks/vector/tile_points.hpp"

namespace imago::blocks {

/// What both directions share: which points are moved together, and where they lie.
class TileCopy {
 public:
  TileCopy(const TileCopy&) = delete;
  TileCopy& operator=(const TileCopy&) = delete;
  /// Points that have an element in some column; beyond them there is nothing to load and store.
  std::uint64_t point_count() const { return points_->facts().somewhere; }

 protected:
  using Value = ir::Value;

  /// A block of vectors that is transposed between memory and lanes.
  struct Block {
    unsigned points = 0;   ///< from block to block; 0: no blocks, points go one by one
    unsigned vectors = 0;  ///< of a block
    unsigned width = 0;    ///< real numbers in a vector
    bool rows = false;     ///< vector v is of column v; else vectors follow each other
  };
  using OnBlock = std::function<void(Value point, Value column)>;
  using OnPoint = std::function<void(Value point, Value column, Value exists)>;

  TileCopy(const TileSite& site, const TileSide& tile, const kernel::Side& side,
           TilePointsPtr points);
  virtual ~TileCopy() = default;
  /// The index of an element of a column's line, in elements of the side.
  virtual Value index(Value element, Value column) const = 0;

  /// Lanes are columns that are no neighbours, or points of one line of which only some exist.
  bool meets_columns_apart() const;
  /// The points of one transform are a whole line, with an edge.
  bool has_whole_line() const;
  Block block() const;
  /// Calls one of the two for each point: of all in blocks, or of one column.
  void over_tile(const Block& block, const OnBlock& on_block, const OnPoint& on_point) const;
  void over_columns(const std::function<void(Value column)>& body) const;
  BlockVectors vectors(const Block& block, Value point, Value column) const;
  /// Of two transforms abreast the points from `point` on, a vector of each.
  BlockVectors abreast(Value point) const;
  Point element(Value element, Value column) const;
  /// From lane to lane, where points are met as they lie.
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
  /// Whether the tile goes through scratch: lanes do not find their points side by side, or these
  /// meet partners, or a convolution begins.
  bool copies() const;
  /// Global memory to scratch, through as_loaded(). Behind a convolution's points are zeros up to
  /// the end of a leg of `leg` points: the first pass knows that all further legs are zero.
  void copy(unsigned stage, std::uint64_t leg) const;
  /// `width` points as they lie in global memory, before as_loaded().
  Cx load(ir::Value point, unsigned width) const;
  /// `width` elements of the line instead.
  Cx load_element(ir::Value number, unsigned width) const;
  /// The points that the transform takes, in lanes or of one of the columns.
  Points as_loaded(const Points& x, const Legs& legs, ir::Value column = {}) const;

 private:
  bool loads_lines() const;
  Value index(Value element, Value column) const override;
  void keep(unsigned stage, Value point, Value column, const Cx& x, Value exists) const;
  void copy_zeros(unsigned stage, std::uint64_t leg) const;
  void copy_lone_element() const;

  const Input input_;
};

class TileStore final : public TileCopy {
 public:
  explicit TileStore(const TileSite& site);
  /// As of TileLoad, where a convolution ends.
  bool copies() const;
  /// Scratch to global memory, through as_stored().
  void copy(unsigned stage) const;
  /// Points as they lie in global memory, in lanes or of one column, through as_stored().
  void store(ir::Value point, const Cx& x, ir::Value column = {}) const;
  Cx as_stored(const Cx& x) const { return blocks::as_stored(site_.f, x); }

 private:
  bool stores_lines() const;
  Value index(Value element, Value column) const override;
  Cx fetch(unsigned stage, Value point, Value column, unsigned width) const;
  void copy_lone_element() const;

  const kernel::Step& step_;
  const Output output_;
};

}  // namespace imago::blocks
