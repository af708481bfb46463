// This file counts the arithmetic of the blocks.
#include "model/operations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/exchange.hpp"
#include "kernel/tables.hpp"

namespace imago::model {
namespace {

// Instructions of blocks::butterfly by radix; zero: no kernel has it.
constexpr std::array<unsigned, 98> kButterfly = {
    0,    0,    4,    12,   16,   36,   44,   66,   55,   88,   108,  150,  112,  204,
    184,  200,  155,  336,  244,  414,  272,  330,  384,  594,  314,  424,  508,  436,
    448,  924,  516,  1050, 423,  662,  804,  678,  584,  1156, 976,  864,  692,  1296,
    824,  1509, 896,  892,  1368, 2346, 753,  1068, 1044, 1340, 1168, 2290, 1084, 1306,
    1108, 1614, 2076, 0,    1200, 2096, 2344, 1402, 1047, 0,    0,    2925, 0,    0,
    0,    2959, 0,    2706, 0,    0,    0,    0,    0,    3777, 0,    0,    0,    0,
    0,    0,    0,    0,    0,    3990, 0,    0,    0,    0,    0,    0,    0,    3698};

double phase_instructions(std::uint64_t order) {
  const bool wide = 4 * order >= (std::uint64_t{1} << 31);  // as in blocks::phase_product
  return wide ? 5 : 2;
}

double root_instructions(Twiddles source, std::uint64_t order) {
  return phase_instructions(order) + (source == Twiddles::native ? kNativeRoot : kPolynomialRoot);
}

}  // namespace

double butterfly_instructions(unsigned radix) {
  if (radix < kButterfly.size() && (radix < 2 || kButterfly[radix] != 0)) return kButterfly[radix];
  return 5 * radix * std::log2(static_cast<double>(radix));
}

TwiddleCost pass_twiddles(const kernel::Pass& pass) {
  if (pass.done == 1) return {};
  const unsigned factors = pass.radix - 1, step = kernel::product_step(pass.radix);
  TwiddleCost cost;
  cost.instructions = kComplexMultiply * factors;
  if (pass.twiddles == Twiddles::polynomial || pass.twiddles == Twiddles::native) {
    cost.instructions += factors * root_instructions(pass.twiddles, pass.done * pass.radix);
    return cost;
  }
  // Like kernel::section_of: exponents below `step`, and its multiples.
  const unsigned few = (step - 1) + factors / step;
  cost.entries = pass.twiddles == Twiddles::table ? factors : few;
  cost.instructions += kComplexMultiply * (factors - cost.entries);
  return cost;
}

TwiddleCost four_step_twiddles(const kernel::Step& step) {
  if (step.four_step.order == 0) return {};
  const unsigned legs = step.passes.front().radix, stride = kernel::product_step(legs);
  TwiddleCost cost;
  cost.instructions = kComplexMultiply * legs;
  if (step.four_step.twiddles == Twiddles::table) {
    cost.entries = 2 * legs;
    cost.instructions += legs * (kComplexMultiply + phase_instructions(step.four_step.order));
    return cost;
  }
  const double root = root_instructions(step.four_step.twiddles, step.four_step.order);
  if (step.four_step.twiddles != Twiddles::product || stride == 1) {
    cost.instructions += legs * root;
  } else {
    const double exact = std::ceil(static_cast<double>(legs) / stride);
    cost.instructions += (exact + stride - 1) * root + (legs - exact) * kComplexMultiply;
  }
  return cost;
}

unsigned exchanges(const kernel::Step& step) {
  return static_cast<unsigned>(kernel::exchanges_of(step).size());
}

double partner_reads(const kernel::Step& step) {
  const auto others = [&](const kernel::ReorderedAxis& axis) {
    return !axis.alone() && step.passes[axis.joining_pass()].coupled == 0;
  };
  return static_cast<double>(
      std::count_if(step.group().axes.begin(), step.group().axes.end(), others));
}

double convolved_share(const kernel::Step& step, const kernel::Side& side) {
  if (!kernel::is_any(side.convolved)) return 1;
  return static_cast<double>(kernel::facts_of(side.convolved).elements) /
         (static_cast<double>(step.length) * static_cast<double>(step.convolution.stride));
}

double convolution_entries(const kernel::Step& step, std::size_t i) {
  double each = i + 1 == step.convolution.passes_forth ? 1 : 0;
  if (i == 0 && kernel::is_any(step.in.convolved)) each += convolved_share(step, step.in);
  if (i + 1 == step.passes.size() && kernel::is_any(step.out.convolved))
    each += convolved_share(step, step.out);
  return step.passes[i].radix * each;
}

double convolution_instructions(const kernel::Step& step, std::size_t i) {
  return kComplexMultiply * convolution_entries(step, i);
}

double edge_instructions(const kernel::Step& step, std::size_t i) {
  const double legs = step.passes[i].radix;
  double sum = 0;
  // Counts the factor of a butterfly's first leg (input or output), the factors of its other legs,
  // which are computed from it, and their use.
  const auto add = [&](const kernel::EdgeFacts& edge) {
    if (edge.roots.order == 0) return;
    sum += legs * (edge.factor_instructions + kComplexMultiply) +
           root_instructions(Twiddles::polynomial, edge.roots.order);
  };
  const kernel::EdgeFacts load = step.at_load(), store = step.at_store();
  if (i == 0) add(load);
  if (i + 1 == step.passes.size()) add(store);
  for (const kernel::ReorderedAxis& axis : step.reordered_axes()) {
    const kernel::EdgeFacts edge = kernel::facts_of(axis.edge, axis.joins(), axis.points);
    const bool joins = i == axis.joining_pass();
    // Whole axes in a work-item have constant factors, and reordering them costs nothing.
    if (joins && axis.alone()) sum += legs * edge.factor_instructions;
    if (joins && !axis.alone()) add(edge);
    if (!axis.alone() && (i == axis.first || i == axis.last)) sum += edge.instructions * legs;
  }
  if (i == 0) sum += load.instructions * legs;
  if (i + 1 == step.passes.size()) sum += store.instructions * legs;
  return sum;
}

}  // namespace imago::model
