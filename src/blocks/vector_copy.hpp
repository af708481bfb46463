// This file holds the vector mapping's way between global memory and a tile: single points where
// lanes meet them as they lie, else copies of the whole tile to scratch and back.
#pragma once

#include <functional>

#include "blocks/elements.hpp"
#include "blocks/lanes.hpp"
#include "blocks/vector_tile.hpp"

namespace imago::blocks {

class TileCopy {
 public:
  /// `columns` of them in lanes; 1: lanes along the points of one transform.
  TileCopy(const Frame& frame, const Scratch& scratch, const Tile& tile, unsigned columns)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        scratch_(scratch),
        tile_(tile),
        columns_(columns),
        input_(frame),
        output_(frame) {}

  /// Whether lanes do not find their points side by side, or meet mirror images: then the tile goes
  /// through scratch.
  bool copies_in() const { return rows_in() || line_in(); }
  bool copies_out() const { return rows_out() || line_out(); }
  /// Global memory to scratch `current`, with the load hook.
  void in(unsigned current) const;
  /// Scratch `current` to global memory, with the store hook.
  void out(unsigned current) const;

  /// `width` points as they lie in global memory, without the load hook.
  Cx load(ir::Value point, unsigned width) const;
  /// With the store hook.
  void store(ir::Value point, const Cx& x) const;
  Points hooked(const Points& x, const Legs& legs) const;

  /// Whether short transforms one after the other are a block of memory that registers hold.
  bool whole_rows(const Geometry& geometry) const;
  /// The block becomes points by a transposition, with the load hook; and back.
  Points rows() const;
  void rows(const Points& points) const;

 private:
  using Value = ir::Value;

  bool rows_in() const;
  bool rows_out() const;
  bool line_in() const;
  bool line_out() const;

  void line_in(unsigned current) const;
  void folded_in(unsigned current) const;
  void half_in(unsigned current) const;
  void points_in(unsigned current) const;
  void line_out(unsigned current) const;
  void images_out(unsigned current) const;
  void rows_in(unsigned current) const;
  void rows_out(unsigned current) const;
  void elements_in(unsigned current) const;
  void elements_out(unsigned current) const;

  void over_points(std::uint64_t count, const std::function<void(Value, unsigned)>& body) const;
  void over_elements(std::uint64_t count, const std::function<void(Value, Value)>& body) const;
  void over_blocks(const std::function<void(Value)>& body) const;
  Value row_at(Value base, Value stride, unsigned column, Value point) const;
  Value row_chunk(Value base, Value stride, unsigned v) const;

  Spread spread_in(unsigned width) const;
  std::uint64_t apart_out() const;
  Cx spectrum_at(Value p, unsigned width) const;
  void keep_point(unsigned current, Value p, const Cx& x) const;
  Cx fetch(unsigned current, Value point, unsigned width) const;
  Cx fetch_of(unsigned current, Value point, Value lane) const;
  void keep(unsigned current, Value point, const Cx& x) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const Scratch& scratch_;
  const Tile& tile_;
  const unsigned columns_;
  const Input input_;
  const Output output_;
};

}  // namespace imago::blocks
