// This file calls the functions of a side's edge.
#include "blocks/edges/edge.hpp"

#include "base/errors.hpp"
#include "blocks/edges/cosines.hpp"
#include "blocks/edges/folded_spectrum.hpp"
#include "blocks/edges/half_spectrum.hpp"
#include "blocks/edges/halves.hpp"
#include "blocks/edges/right_angle.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

Cx load_point(const kernel::NoEdge&, const Input& input, const Point& at, const Access& access) {
  return input.element(at.index, access.spread, access.condition);
}

void store_point(const kernel::NoEdge&, const Output& output, const Point& at, const Cx& x,
                 const Spread& spread) {
  output.element(at.index, x, spread);
}

template <class Edge>
Cx joined(const Edge&, const Frame&, const Point&, const Cx&, const Cx&) {
  base::internal_error("an edge that joins no points");
}

}  // namespace

Cx load_point(const Input& input, const Point& at, Spread spread, const ir::Condition& condition) {
  return std::visit(
      [&](const auto& edge) {
        return load_point(edge, input, at, Access{spread, condition});
      },
      input.side().edge);
}

void store_point(const Output& output, const Point& at, const Cx& x, const Spread& spread) {
  std::visit([&](const auto& edge) { store_point(edge, output, at, x, spread); },
             output.side().edge);
}

Cx joined(const Frame& frame, const Point& at, const Cx& point, const Cx& partner) {
  return std::visit([&](const auto& edge) { return joined(edge, frame, at, point, partner); },
                    frame.step.out.edge);
}

}  // namespace imago::blocks
