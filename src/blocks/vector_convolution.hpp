// This file holds the vector mapping's way into a convolution and out of it: elements between
// global memory and a work-item's scratch, times the chirp or in Rader's order.
#pragma once

#include <functional>

#include "blocks/convolution.hpp"
#include "blocks/elements.hpp"
#include "blocks/vector_tile.hpp"

namespace imago::blocks {

class ConvolutionCopy {
 public:
  /// `columns` of them in lanes; 1: one transform.
  ConvolutionCopy(const Frame& frame, const Scratch& scratch, const Tile& tile, unsigned columns)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        c_(frame.step.convolution),
        scratch_(scratch),
        tile_(tile),
        columns_(columns),
        input_(frame),
        output_(frame) {}

  /// Global memory to scratch `current`, with zeros behind up to the end of a leg of `leg` points:
  /// the first pass knows that all further legs are zero.
  void in(unsigned current, std::uint64_t leg) const;
  /// Scratch `current` to global memory.
  void out(unsigned current) const;
  /// Lanes::lone_element.
  Cx lone(const Index& k, const Cx& sum) const;

 private:
  using Value = ir::Value;

  std::uint64_t full() const;  ///< points whose elements exist in every column
  std::uint64_t some() const;  ///< points whose elements exist in some column
  unsigned vector_width() const;
  bool by_rows(std::uint64_t stride) const;
  bool by_vectors(std::uint64_t stride) const;
  /// Calls body(first) so that blocks of `points` cover the full points; the last two may overlap.
  void over_blocks(unsigned points, const std::function<void(Value)>& body) const;

  void columns_in(unsigned current) const;
  void columns_out(unsigned current) const;
  void rows_in(unsigned current) const;
  void rows_out(unsigned current) const;
  void vectors_in(unsigned current) const;
  void vectors_out(unsigned current) const;
  void elements_in(unsigned current, std::uint64_t from, std::uint64_t to) const;
  void elements_out(unsigned current, std::uint64_t from, std::uint64_t to) const;
  void zeros_in(unsigned current, std::uint64_t from, std::uint64_t to) const;
  void lone_in() const;
  void lone_out() const;

  /// The element of the line that is convolved as point `point`.
  Value element(Value point) const;
  Value index_in(Value element, Value column) const;
  Value index_out(Value element, Value column) const;
  /// Where complex numbers lie, in real numbers.
  Value at_in(Value point, Value column) const;
  Value at_out(Value point, Value column) const;
  Cx load_element(Value element, Value column, Value condition) const;
  void store_element(Value element, Value column, const Cx& x) const;
  Index number(Value point, Value column) const;
  Cx hooked_in(const Cx& raw, const Index& number, unsigned lanes, Value condition = {}) const;
  Cx hooked_out(const Cx& value, const Index& number, unsigned lanes) const;
  Value place(Value point, bool in) const;
  Cx fetch(unsigned current, Value place, Value lane, unsigned lanes) const;
  void keep(unsigned current, Value place, Value lane, const Cx& x) const;

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const plan::Convolution& c_;
  const Scratch& scratch_;
  const Tile& tile_;
  const unsigned columns_;
  const Input input_;
  const Output output_;
};

}  // namespace imago::blocks
