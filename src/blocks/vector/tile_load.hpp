// This file holds the vector mapping's way from global memory to a tile: single points where lanes
// meet them as they lie, else a copy of the whole tile to scratch.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/elements.hpp"
#include "blocks/vector/tile_edge.hpp"
#include "blocks/vector/tile_way.hpp"

namespace imago::blocks {

class TileLoad {
 public:
  explicit TileLoad(const TileSite& site)
      : f_(site.f),
        b_(site.f.b),
        step_(site.f.step),
        site_(site),
        side_(site.tile.in),
        edge_(edge_in(site)),
        input_(site.f) {}

  /// Whether the tile goes through scratch: lanes do not find their points side by side, or these
  /// meet mirror images, or a convolution begins.
  bool copies() const { return convolves() || meets_lines() || meets_columns_apart(); }
  /// Points that have elements; beyond them are zeros, which are not loaded.
  std::uint64_t points() const { return edge_->somewhere(); }

  /// Global memory to scratch, with the load hook. Of a convolution there are zeros behind, up to
  /// the end of a leg of `leg` points: the first pass knows that all further legs are zero.
  void copy(unsigned stage, std::uint64_t leg) const;
  /// `width` points as they lie in global memory, without the load hook.
  Cx load(ir::Value point, unsigned width) const;
  /// Points after the load hook, in lanes or of one of the columns.
  Points hooked(const Points& x, const Legs& legs, ir::Value column = {}) const;

 private:
  using Value = ir::Value;

  bool convolves() const { return step_.convolution.load; }
  bool meets_lines() const;
  bool meets_columns_apart() const;

  void copy_blocks(unsigned stage, const TileWay& way) const;
  void copy_elements(unsigned stage, std::uint64_t from, std::uint64_t to) const;
  void copy_zeros(unsigned stage, std::uint64_t from, std::uint64_t to) const;
  void copy_lone_element() const;
  void keep(unsigned stage, Value point, Value column, const Cx& x, Value condition) const;
  Value index(Value element, Value column) const;
  Cx element(Value element, Value column, Value condition) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const TileSite& site_;
  const TileSide& side_;
  const std::unique_ptr<const TileEdge> edge_;
  const Input input_;
};

}  // namespace imago::blocks
