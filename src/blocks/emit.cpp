// This file composes a step's kernel: Stockham passes of Radix blocks (twiddle, then butterfly)
// over the Lanes of its mapping.
#include "blocks/emit.hpp"

#include "blocks/butterfly.hpp"
#include "blocks/frame.hpp"
#include "blocks/lanes.hpp"
#include "ir/contract.hpp"

namespace imago::blocks {
namespace {

/// The Radix block of one pass: legs times w^(r k), then a butterfly.
Body radix_body(const Frame& frame, const Geometry& g) {
  return [&frame, g](const Index& k) -> Butterfly {
    Points direct;
    if (g.done > 1) direct = direct_factors({g.pass, frame.table, frame.real}, k);
    return [direct](const Points& legs) {
      Points x = legs;
      if (!direct.empty()) multiply(x, direct);
      return butterfly(x);
    };
  };
}

void stockham(const Frame& frame, Lanes& lanes) {
  const plan::Step& step = frame.step;
  const auto& passes = step.passes;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    Geometry g;
    g.pass = &passes[i];
    g.radix = passes[i].radix;
    g.done = passes[i].done, g.left = passes[i].left, g.outer = passes[i].outer;
    g.first = i == 0, g.last = i + 1 == passes.size();
    g.in_place = step.in_place(i);
    g.turns = i + 1 == step.convolution.passes_forth;
    lanes.pass(g, radix_body(frame, g));
  }
}

}  // namespace

ir::Kernel emit(const plan::Step& step) {
  ir::Builder builder(step.name(), step.work_group_size());
  const Frame frame(builder, step);
  const auto passes = [&frame](Lanes& lanes) { stockham(frame, lanes); };
  if (step.on_work_group())
    with_work_group_lanes(frame, passes);
  else
    with_vector_lanes(frame, passes);
  return ir::contract(builder.take());
}

}  // namespace imago::blocks
