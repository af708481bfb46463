// This file finds the butterflies of couples.
#include "blocks/couples.hpp"

#include <algorithm>

namespace imago::blocks {

using ir::Value;

Couples::Couples(const Frame& frame, const plan::Pass& pass) : b_(frame.b) {
  const plan::Step& step = frame.step;
  // Of an axis's last pass the finished digits are all; before its first pass the remaining ones,
  // among the points of the faster axes.
  std::uint64_t digits = pass.done, inner = pass.left;
  for (const plan::CosineAxis& axis : step.cosine_axes) {
    if (&step.passes[axis.joining_pass()] != &pass || !axis.joins_at_load()) continue;
    digits = axis.cosines.elements / pass.radix, inner = axis.inner;
  }
  digits_ = static_cast<std::int64_t>(digits), inner_ = static_cast<std::int64_t>(inner);
}

Value Couples::first_digit(Value couple) const { return couple / inner_ % (digits_ / 2); }

Value Couples::alone(Value couple) const {
  return b_.binary(ir::Op::equal, first_digit(couple), b_.integer(0));
}

Value Couples::digit(Value couple, std::size_t member) const {
  const Value first = first_digit(couple);
  if (member == 0) return first;
  return b_.select(alone(couple), b_.integer(digits_ / 2), b_.integer(digits_) - first);
}

Value Couples::butterfly(Value couple, std::size_t member) const {
  const Value outer = couple / (inner_ * (digits_ / 2));
  return (outer * digits_ + digit(couple, member)) * inner_ + couple % inner_;
}

Cx Couples::image(Value couple, const std::vector<Points>& held, std::size_t i,
                  std::size_t leg) const {
  const Points &mine = held[i], &others = held[i ^ 1];
  const std::size_t legs = mine.size(), back = legs - 1 - leg;
  const Cx& own = i % 2 == 0 ? mine[(legs - leg) % legs] : mine[back];
  const Cx& other = others[back];
  const Value is_own = alone(couple);
  return {b_.select(is_own, own.re, other.re), b_.select(is_own, own.im, other.im)};
}

}  // namespace imago::blocks
