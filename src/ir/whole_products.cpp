// This file makes products of sums fma's.
#include "ir/whole_products.hpp"

#include <utility>
#include <vector>

namespace imago::ir {
namespace {

bool is_scalar_sum(const Instruction& x) {
  const bool scalar = x.type.lanes == 1 && (x.type.base == Base::f32 || x.type.base == Base::f64);
  return scalar && (x.op == Op::add || x.op == Op::sub);
}

}  // namespace

Kernel with_whole_products(Kernel kernel) {
  std::vector<Instruction> code;
  std::vector<std::uint32_t> renumbered;
  for (const Instruction& x : kernel.code) {
    const auto is = [&](std::size_t argument, auto&& predicate) {
      return x.args[argument] != kNone && predicate(kernel.code[x.args[argument]]);
    };
    const auto is_number = [](const Instruction& y) { return y.op == Op::constant; };
    const bool whole = x.op == Op::mul && ((is(0, is_scalar_sum) && is(1, is_number)) ||
                                           (is(1, is_scalar_sum) && is(0, is_number)));
    Instruction copy = x;
    for (std::uint32_t& argument : copy.args)
      if (argument != kNone) argument = renumbered[argument];
    if (whole) {
      copy.op = Op::fma;
      copy.args[2] = static_cast<std::uint32_t>(code.size());
      code.push_back({.op = Op::constant, .type = x.type});
    }
    renumbered.push_back(static_cast<std::uint32_t>(code.size()));
    code.push_back(std::move(copy));
  }
  kernel.code = std::move(code);
  return kernel;
}

}  // namespace imago::ir
