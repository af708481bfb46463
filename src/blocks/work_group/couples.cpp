// This file finds the butterflies of couples.
#include "blocks/work_group/couples.hpp"

namespace imago::blocks {

using ir::Value;

Value Couples::first_digit(Value couple) const { return couple / from_digit_ % (digits_ / 2); }

Value Couples::alone(Value couple) const {
  return b_.binary(ir::Op::equal, first_digit(couple), b_.integer(0));
}

Value Couples::digit(Value couple, std::size_t member) const {
  const Value first = first_digit(couple);
  if (member == 0) return first;
  return b_.select(alone(couple), b_.integer(digits_ / 2), b_.integer(digits_) - first);
}

Value Couples::butterfly(Value couple, std::size_t member) const {
  const Value outer = couple / (from_digit_ * (digits_ / 2));
  return (outer * digits_ + digit(couple, member)) * from_digit_ + couple % from_digit_;
}

Cx Couples::partner(Value couple, const std::vector<Points>& held, std::size_t i,
                    std::size_t leg) const {
  const Points &mine = held[i], &others = held[i ^ 1];
  const std::size_t legs = mine.size(), back = legs - 1 - leg;
  const Cx& own = i % 2 == 0 ? mine[(legs - leg) % legs] : mine[back];
  const Cx& other = others[back];
  const Value is_own = alone(couple);
  return {b_.select(is_own, own.re, other.re), b_.select(is_own, own.im, other.im)};
}

}  // namespace imago::blocks
