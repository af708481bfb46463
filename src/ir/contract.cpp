// This file fuses products and sums to fma, and drops dead code. Both copy the code in order and
// renumber the arguments, so a value still comes before its uses.
#include "ir/contract.hpp"

#include <algorithm>
#include <utility>

#include "ir/residues.hpp"

namespace imago::ir {
namespace {

bool has_effect(Op op) {
  switch (op) {
    case Op::store:
    case Op::store_strided:
    case Op::loop_begin:
    case Op::loop_end:
    case Op::when_begin:
    case Op::when_end:
    case Op::barrier:
    case Op::fence:
    case Op::take_ticket:
    case Op::await_groups:
    case Op::finish_group:
      return true;
    default:
      return false;
  }
}

std::vector<Instruction> without_dead(const std::vector<Instruction>& code) {
  std::vector<bool> live(code.size());
  for (std::size_t i = code.size(); i-- > 0;) {
    live[i] = live[i] || has_effect(code[i].op);
    if (!live[i]) continue;
    for (const std::uint32_t argument : code[i].args) {
      if (argument != kNone) live[argument] = true;
    }
  }
  std::vector<Instruction> kept;
  std::vector<std::uint32_t> renumbered(code.size(), kNone);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!live[i]) continue;
    renumbered[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(code[i]);
    for (std::uint32_t& argument : kept.back().args) {
      if (argument != kNone) argument = renumbered[argument];
    }
  }
  return kept;
}

class Contraction {
 public:
  explicit Contraction(const std::vector<Instruction>& code)
      : code_(code), only_summed_(code.size(), true), renumbered_(code.size(), kNone) {
    for (const Instruction& x : code) {
      const bool sum = x.type.is_float() && (x.op == Op::add || x.op == Op::sub);
      for (const std::uint32_t argument : x.args) {
        if (argument != kNone && !sum) only_summed_[argument] = false;
      }
    }
  }

  std::vector<Instruction> run() {
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      Instruction copy = contracted(code_[i]);
      renumbered_[i] = append(std::move(copy));
    }
    return std::move(out_);
  }

 private:
  std::uint32_t append(Instruction instruction) {
    out_.push_back(std::move(instruction));
    return static_cast<std::uint32_t>(out_.size() - 1);
  }

  /// Returns true for a product that is only used in sums. It is fused into each of them, because
  /// an fma costs no more than the sum.
  bool is_product(std::uint32_t index) const {
    return code_[index].op == Op::mul && only_summed_[index] && !code_[index].is_rounded;
  }

  /// Returns true if the negated value costs no instruction.
  bool negates_freely(std::uint32_t index) const {
    return code_[index].op == Op::constant || code_[index].op == Op::neg;
  }

  /// Returns the index, in the new code, of the negated value.
  std::uint32_t negated(std::uint32_t index) {
    const Instruction& value = code_[index];
    if (value.op == Op::neg) return renumbered_[value.args[0]];
    Instruction negation = value;
    if (value.op == Op::constant) {
      negation.number = -value.number;
    } else {
      negation = Instruction{Op::neg, value.type, {renumbered_[index], kNone, kNone}};
    }
    return append(std::move(negation));
  }

  Instruction fused(Type type, std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return {Op::fma, type, {a, b, c}};
  }

  Instruction contracted(const Instruction& x);
  Instruction contracted_sum(const Instruction& x);
  Instruction contracted_difference(const Instruction& x);
  Instruction unchanged(Instruction copy) const;

  const std::vector<Instruction>& code_;
  std::vector<bool> only_summed_;          ///< every use is a sum or a difference
  std::vector<std::uint32_t> renumbered_;  ///< old index to new
  std::vector<Instruction> out_;
};

Instruction Contraction::unchanged(Instruction copy) const {
  for (std::uint32_t& argument : copy.args) {
    if (argument != kNone) argument = renumbered_[argument];
  }
  return copy;
}

Instruction Contraction::contracted(const Instruction& x) {
  // A product of residues costs more than a sum, so sums share it.
  if (!x.type.is_float() || is_residue(x.type) || (x.op != Op::add && x.op != Op::sub))
    return unchanged(x);
  Instruction sum = x.op == Op::add ? contracted_sum(x) : contracted_difference(x);
  sum.is_rounded = x.is_rounded;
  return sum;
}

Instruction Contraction::contracted_sum(const Instruction& x) {
  std::uint32_t addend = std::min(x.args[0], x.args[1]);
  std::uint32_t product = std::max(x.args[0], x.args[1]);  // the later one of two products
  if (!is_product(product)) std::swap(addend, product);
  if (!is_product(product)) return unchanged(x);
  const Instruction& factors = code_[product];
  return fused(x.type, renumbered_[factors.args[0]], renumbered_[factors.args[1]],
               renumbered_[addend]);
}

Instruction Contraction::contracted_difference(const Instruction& x) {
  const std::uint32_t left = x.args[0], right = x.args[1];
  if (is_product(right)) {
    std::uint32_t a = code_[right].args[0], b = code_[right].args[1];
    if (negates_freely(b)) std::swap(a, b);
    return fused(x.type, negated(a), renumbered_[b], renumbered_[left]);
  }
  if (is_product(left)) {
    const Instruction& factors = code_[left];
    return fused(x.type, renumbered_[factors.args[0]], renumbered_[factors.args[1]],
                 negated(right));
  }
  return unchanged(x);
}

}  // namespace

Kernel contract(Kernel kernel) {
  kernel.code = without_dead(kernel.code);
  kernel.code = Contraction(kernel.code).run();
  kernel.code = without_dead(kernel.code);
  return kernel;
}

}  // namespace imago::ir
