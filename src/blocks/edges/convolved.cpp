// This file holds what the edges of convolutions share, and makes that of a step.
#include "blocks/edges/convolved.hpp"

#include "blocks/edges/chirp.hpp"
#include "blocks/edges/rader.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

const plan::Side& side_at(const Frame& frame, plan::End end) {
  return end == plan::End::load ? frame.step.in : frame.step.out;
}

ConvolvedEdgePtr made(const plan::NoEdge&, const Frame&, plan::End) { return nullptr; }

ConvolvedEdgePtr made(const plan::Chirp& edge, const Frame& frame, plan::End end) {
  return std::make_unique<ChirpEdge>(edge, frame, end);
}

ConvolvedEdgePtr made(const plan::RaderOrder&, const Frame& frame, plan::End end) {
  return std::make_unique<RaderEdge>(frame, end);
}

}  // namespace

ConvolvedEdge::ConvolvedEdge(const Frame& frame, plan::End end)
    : f_(frame),
      at_load_(end == plan::End::load),
      table_(side_at(frame, end).convolved_table),
      facts_(facts_of(side_at(frame, end).convolved)) {}

Value ConvolvedEdge::exists(Value number) const {
  return number < static_cast<std::int64_t>(facts_.elements);
}

bool ConvolvedEdge::nothing_from(std::uint64_t first) const {
  return first * f_.step.convolution.stride >= facts_.elements;
}

Value ConvolvedEdge::element(Value point) const {
  return point + static_cast<std::int64_t>(facts_.first());
}

Cx ConvolvedEdge::changed(const Cx& x, const Index& number, Value condition) const {
  const Cx factor = this->factor(number, x.re.type().lanes, condition);
  // The way back leaves the parts swapped.
  const Cx y = at_load_ ? x : swapped(x);
  return factor.re.valid() ? y * factor : y;
}

ConvolvedEdgePtr convolved_at(const Frame& frame, plan::End end) {
  return std::visit([&](const auto& edge) { return made(edge, frame, end); },
                    side_at(frame, end).convolved);
}

}  // namespace imago::blocks
