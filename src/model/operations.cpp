// This file counts the arithmetic of the blocks.
#include "model/operations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/exchange.hpp"
#include "plan/tables.hpp"

namespace imago::model {
namespace {

// What blocks::butterfly writes, by radix; zero: not one of plan::all_radices().
constexpr std::array<unsigned, 33> kButterfly = {
    0,   0,   4,   12,  16,  36, 44,  66,  55,  88, 108, 150, 112, 204, 184,  200, 155,
    336, 244, 414, 272, 330, 0,  594, 314, 424, 0,  436, 448, 924, 516, 1050, 423};

double phase_instructions(std::uint64_t order) {
  const bool wide = 4 * order >= (std::uint64_t{1} << 31);  // as blocks::phase_product
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

TwiddleCost pass_twiddles(const plan::Pass& pass) {
  if (pass.done == 1) return {};
  const unsigned factors = pass.radix - 1, step = plan::product_step(pass.radix);
  TwiddleCost cost;
  cost.instructions = kComplexMultiply * factors;
  if (pass.twiddles == Twiddles::polynomial || pass.twiddles == Twiddles::native) {
    cost.instructions += factors * root_instructions(pass.twiddles, pass.done * pass.radix);
    return cost;
  }
  // As plan::section_of: the exponents below `step` and its multiples.
  const unsigned few = (step - 1) + factors / step;
  cost.entries = pass.twiddles == Twiddles::table ? factors : few;
  cost.instructions += kComplexMultiply * (factors - cost.entries);
  return cost;
}

TwiddleCost inter_twiddles(const plan::Step& step) {
  if (step.four_step.order == 0) return {};
  const unsigned legs = step.passes.front().radix, stride = plan::product_step(legs);
  const double root = root_instructions(step.four_step.twiddles, step.four_step.order);
  TwiddleCost cost;
  cost.instructions = kComplexMultiply * legs;
  if (step.four_step.twiddles != Twiddles::product || stride == 1) {
    cost.instructions += legs * root;
  } else {
    const double exact = std::ceil(static_cast<double>(legs) / stride);
    cost.instructions += (exact + stride - 1) * root + (legs - exact) * kComplexMultiply;
  }
  return cost;
}

unsigned exchanges(const plan::Step& step) {
  return static_cast<unsigned>(plan::exchanges_of(step).size());
}

double image_reads(const plan::Step& step) {
  const auto others = [&](const plan::CosineAxis& axis) {
    return !axis.alone() && step.passes[axis.joining_pass()].coupled == 0;
  };
  return static_cast<double>(
      std::count_if(step.group().axes.begin(), step.group().axes.end(), others));
}

double convolution_entries(const plan::Step& step, std::size_t i) {
  const plan::Convolution& c = step.convolution;
  const bool first = i == 0 && c.load, last = i + 1 == step.passes.size() && c.store;
  const double share = static_cast<double>(c.elements()) /
                       (static_cast<double>(step.length) * static_cast<double>(c.stride));
  const double ends = (first ? 1 : 0) + (last ? 1 : 0);
  const double turn = c.turn > 0 && i + 1 == c.turn ? 1 : 0;
  return step.passes[i].radix * (turn + ends * share);
}

double convolution_instructions(const plan::Step& step, std::size_t i) {
  return kComplexMultiply * convolution_entries(step, i);
}

double folding_instructions(const plan::Step& step, std::size_t i) {
  const double legs = step.passes[i].radix;
  double sum = 0;
  // The first leg's factor, those of the others from it, and what is done with them.
  const auto add = [&](const plan::Roots& roots, double each) {
    if (roots.order == 0) return;
    sum += legs * (each + kComplexMultiply) + root_instructions(Twiddles::polynomial, roots.order);
  };
  const bool folds_in = step.in.form == plan::Form::folded,
             folds_out = step.out.form == plan::Form::folded;
  const double images = step.stores_partners() ? kComplexMultiply : 0;
  if (i == 0) add(step.roots_in(), folds_in ? kFold : kComplexMultiply);
  if (i + 1 == step.passes.size())
    add(step.roots_out(), folds_out ? kFold : kComplexMultiply + images);
  for (const plan::CosineAxis& axis : step.group().axes) {
    const plan::Cosines& c = axis.cosines;
    const bool load = i == axis.first && c.is(Kind::dct3, Kind::dst3);
    const bool store = i == axis.last && c.is(Kind::dct2, Kind::dst2);
    // Whole axes in a work-item have known factors, and only names change places.
    const plan::Roots roots = load ? plan::roots_in(c, c.elements) : plan::roots_out(c, c.elements);
    const double each = (load ? 1 : 2) * kComplexMultiply;
    if ((load || store) && axis.alone()) sum += legs * each;
    if ((load || store) && !axis.alone()) add(roots, each);
    if (!axis.alone() && (i == axis.first || i == axis.last)) sum += kArrange * legs;
  }
  if (i == 0 && step.cosines.load) sum += kArrange * legs;
  if (i + 1 == step.passes.size() && step.cosines.store) sum += kArrange * legs;
  return sum;
}

}  // namespace imago::model
