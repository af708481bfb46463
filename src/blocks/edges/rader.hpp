// This file finds the places of elements in Rader's convolution (plan::RaderOrder).
#pragma once

#include "blocks/convolution.hpp"
#include "blocks/edges/convolved.hpp"

namespace imago::blocks {

class RaderEdge final : public ConvolvedEdge {
 public:
  using ConvolvedEdge::ConvolvedEdge;

  ir::Value place(ir::Value point) const override {
    ir::Builder& b = f_.b;
    const std::uint64_t length = convolution_length(f_.step);
    const Cx places = entry(f_, {table_, length}, {point, 0}, 1);
    const ir::Value found = b.convert(at_load_ ? places.re : places.im, {ir::Base::i32, 1});
    // The bound is for the reader of the code: a place is inside of memory.
    return b.binary(ir::Op::min, found, b.integer(static_cast<std::int64_t>(length) - 1));
  }
};

}  // namespace imago::blocks
