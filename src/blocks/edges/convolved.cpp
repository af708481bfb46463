// This file applies the edges of convolutions.
#include "blocks/edges/convolved.hpp"

#include "blocks/convolution.hpp"

namespace imago::blocks {

using ir::Value;

ConvolvedEdge::ConvolvedEdge(const Frame& frame, const kernel::Side& side, kernel::End end)
    : f_(frame),
      facts_(facts_of(side.convolved)),
      table_(side.convolved_table),
      at_load_(end == kernel::End::load) {}

ir::Condition ConvolvedEdge::exists(Value number) const {
  return number < static_cast<std::int64_t>(facts_.elements);
}

bool ConvolvedEdge::nothing_from(std::uint64_t first) const {
  return first * f_.step.convolution.stride >= facts_.elements;
}

Value ConvolvedEdge::element(Value point) const {
  return point + static_cast<std::int64_t>(facts_.first());
}

Value ConvolvedEdge::place(Value point) const {
  if (!facts_.reorders) return point;
  ir::Builder& b = f_.b;
  const std::uint64_t length = convolution_length(f_.step);
  const Cx places = entry(f_, {table_, length}, {point, 0}, 1);
  const Value found = b.convert(at_load_ ? places.re : places.im, {ir::Base::i32, 1});
  // The table holds no larger number. min() states the bound in the code.
  return b.binary(ir::Op::min, found, b.integer(static_cast<std::int64_t>(length) - 1));
}

Cx ConvolvedEdge::changed(const Cx& x, const Index& number, const ir::Condition& condition) const {
  // The inverse leaves swapped parts.
  const Cx y = at_load_ ? x : swapped(x);
  if (!facts_.multiplies()) return y;
  return y * entry(f_, {table_, facts_.elements}, number, x.re.type().lanes, condition);
}

std::optional<ConvolvedEdge> convolved_at(const Frame& frame, kernel::End end) {
  const kernel::Side& side = end == kernel::End::load ? frame.step.in : frame.step.out;
  if (!kernel::is_any(side.convolved)) return std::nullopt;
  return std::optional<ConvolvedEdge>(std::in_place, frame, side, end);
}

}  // namespace imago::blocks
