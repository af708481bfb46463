// This file holds the vector mapping's way from a tile to global memory: single points where lanes
// meet them as they lie, else a copy of the whole tile from scratch.
#pragma once

#include <cstdint>
#include <memory>

#include "blocks/elements.hpp"
#include "blocks/vector/tile_edge.hpp"
#include "blocks/vector/tile_way.hpp"

namespace imago::blocks {

class TileStore {
 public:
  explicit TileStore(const TileSite& site)
      : f_(site.f),
        b_(site.f.b),
        step_(site.f.step),
        site_(site),
        side_(site.tile.out),
        edge_(edge_out(site)),
        output_(site.f) {}

  /// Whether the tile goes through scratch: lanes do not find their points side by side, or these
  /// meet mirror images, or a convolution ends.
  bool copies() const { return convolves() || meets_lines() || meets_columns_apart(); }
  /// Points that have elements; what is beyond them is not stored.
  std::uint64_t points() const { return edge_->somewhere(); }

  /// Scratch to global memory, with the store hook.
  void copy(unsigned stage) const;
  /// A point as it lies in global memory, with the store hook.
  void store(ir::Value point, const Cx& x) const;
  Cx hooked(const Cx& x) const { return store_hook(f_, x); }

 private:
  using Value = ir::Value;

  bool convolves() const { return step_.convolution.store; }
  bool meets_lines() const;
  bool meets_columns_apart() const;

  void copy_blocks(unsigned stage, const TileWay& way) const;
  void copy_elements(unsigned stage, std::uint64_t from, std::uint64_t to) const;
  void copy_lone_element() const;
  Cx fetch(unsigned stage, Value point, unsigned width, Value column) const;
  Value index(Value element, Value column) const;
  void element(Value element, Value column, const Cx& x) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const TileSite& site_;
  const TileSide& side_;
  const std::unique_ptr<const TileEdge> edge_;
  const Output output_;
};

}  // namespace imago::blocks
