// This file finds partners in couples.
#include "blocks/work_group/couples.hpp"

namespace imago::blocks {

using ir::Value;

Cx partner_in(const Couples& couples, Value couple, const std::vector<Points>& held, std::size_t i,
              std::size_t leg) {
  ir::Builder& b = couple.builder();
  const Points &mine = held[i], &others = held[i ^ 1];
  const std::size_t legs = mine.size(), back = legs - 1 - leg;
  const Cx& own = i % 2 == 0 ? mine[(legs - leg) % legs] : mine[back];
  const Cx& other = others[back];
  const ir::Value zero = b.integer(0);
  const ir::Condition is_own = ir::equal(couples.first_digit(couple), zero);
  return {b.select(is_own, own.re, other.re), b.select(is_own, own.im, other.im)};
}

}  // namespace imago::blocks
