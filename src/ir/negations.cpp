// This file finds the negations that cross barriers. Code segments between barriers are numbered. A
// loop with a barrier inside adds a boundary at each end: values that it reads are used again after
// the barrier, and compilers move invariant code out of it.
//
// Operations that select between negations, or that move or round them, count as negations, because
// compilers negate the result instead. If such a value crosses a barrier, the negations that it is
// made of become differences.
#include "ir/negations.hpp"

#include <map>
#include <utility>

namespace imago::ir {
namespace {

bool is_structure(Op op) {
  return op == Op::loop_begin || op == Op::loop_end || op == Op::when_begin || op == Op::when_end;
}

/// Returns true if f(-x, ..) may become -f(x, ..), or lose the sign, when all floats are negated.
bool takes_negations_out(Op op) {
  switch (op) {
    case Op::select:
    case Op::min:
    case Op::max:
    case Op::rint:
    case Op::native_sin:
    case Op::native_cos:
    case Op::convert:
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return true;
    default:
      return false;
  }
}

/// Code between two barriers, and the innermost loop around it that has a barrier (kNone: none).
struct Region {
  std::uint32_t segment = 0, loop = kNone;
  friend bool operator==(const Region&, const Region&) = default;
};

/// Returns, for each loop_begin, whether there is a barrier in the loop.
std::vector<bool> loops_with_barriers(const std::vector<Instruction>& code) {
  std::vector<bool> found(code.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].op == Op::loop_begin) open.push_back(i);
    if (code[i].op == Op::loop_end) open.pop_back();
    if (!is_barrier(code[i].op)) continue;
    for (const std::uint32_t loop : open) found[loop] = true;
  }
  return found;
}

std::vector<Region> regions(const std::vector<Instruction>& code) {
  const auto divided = loops_with_barriers(code);
  std::vector<Region> all(code.size());
  std::vector<std::uint32_t> open, outer;
  Region now;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    all[i] = now;
    if (code[i].op == Op::loop_begin) open.push_back(i);
    if (code[i].op == Op::loop_begin && divided[i]) {
      outer.push_back(std::exchange(now.loop, i));
      ++now.segment;
    }
    if (code[i].op == Op::loop_end) {
      if (divided[open.back()]) {
        now.loop = outer.back();
        outer.pop_back();
        ++now.segment;
      }
      open.pop_back();
    }
    if (is_barrier(code[i].op)) ++now.segment;
  }
  return all;
}

class Negations {
 public:
  explicit Negations(const std::vector<Instruction>& code)
      : code_(code),
        regions_(regions(code)),
        negated_(code.size()),
        uses_(code.size()),
        differences_(code.size()),
        renumbered_(code.size(), kNone) {
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      negated_[i] = is_negation(i) || is_made_of_negations(i);
      for (const std::uint32_t argument : code[i].args) {
        if (argument != kNone && negated_[argument]) uses_[argument].add(regions_[i]);
      }
    }
    for (auto i = static_cast<std::uint32_t>(code.size()); i-- > 0;) find_differences(i);
  }

  std::vector<Instruction> run() {
    for (std::uint32_t i = 0; i < code_.size(); ++i) add(i);
    return std::move(out_);
  }

 private:
  /// The regions in which a negation is used.
  struct Uses {
    Region region;
    bool any = false, one_region = true;
    void add(const Region& where) {
      one_region = one_region && (!any || where == region);
      any = true;
      region = where;
    }
  };

  bool is_negation(std::uint32_t i) const {
    return code_[i].op == Op::neg && code_[i].type.is_float();
  }
  bool is_made_of_negations(std::uint32_t i) const {
    if (!takes_negations_out(code_[i].op)) return false;
    bool floats = false;
    for (const std::uint32_t argument : code_[i].args) {
      if (argument == kNone || !code_[argument].type.is_float()) continue;
      if (!negated_[argument]) return false;
      floats = true;
    }
    return floats;
  }
  bool crosses(std::uint32_t i) const {
    return uses_[i].any && (!uses_[i].one_region || !(uses_[i].region == regions_[i]));
  }
  /// Returns true if all uses of a negation are after the same barrier.
  bool moves(std::uint32_t i) const {
    return crosses(i) && !differences_[i] && uses_[i].one_region &&
           uses_[i].region.loop == regions_[i].loop;
  }
  void find_differences(std::uint32_t i);

  std::uint32_t append(const Instruction& instruction) {
    out_.push_back(instruction);
    return static_cast<std::uint32_t>(out_.size() - 1);
  }
  void add(std::uint32_t i);
  std::uint32_t use(std::uint32_t argument);
  std::uint32_t zero_minus(const Instruction& negation);

  const std::vector<Instruction>& code_;
  std::vector<Region> regions_;
  std::vector<bool> negated_;      ///< negations, and operations on nothing but negations
  std::vector<Uses> uses_;         ///< uses of these values
  std::vector<bool> differences_;  ///< negations that become 0 - x
  std::vector<std::uint32_t> renumbered_;
  /// Negations moved to this block: index in the new code.
  std::map<std::uint32_t, std::uint32_t> moved_;
  std::vector<Instruction> out_;
};

/// If value i is made of negations and crosses a barrier, or is itself marked, marks the negations
/// among its operands: they become differences. The caller visits values in reverse order. All uses
/// of value i are then visited before it, so its own mark is final.
void Negations::find_differences(std::uint32_t i) {
  if (!negated_[i] || is_negation(i) || !(crosses(i) || differences_[i])) return;
  for (const std::uint32_t argument : code_[i].args) {
    if (argument != kNone && negated_[argument]) differences_[argument] = true;
  }
}

void Negations::add(std::uint32_t i) {
  const Instruction& x = code_[i];
  if (is_negation(i) && moves(i)) return;
  Instruction copy = x;
  for (std::uint32_t& argument : copy.args) {
    if (argument != kNone) argument = use(argument);
  }
  if (is_structure(x.op)) moved_.clear();
  const bool kept = !is_negation(i) || !(crosses(i) || differences_[i]);
  renumbered_[i] = kept ? append(copy) : zero_minus(copy);
}

/// Returns the index in the new code of an instruction's operand.
std::uint32_t Negations::use(std::uint32_t argument) {
  if (renumbered_[argument] != kNone) return renumbered_[argument];
  if (const auto found = moved_.find(argument); found != moved_.end()) return found->second;
  Instruction negation = code_[argument];
  negation.args[0] = use(negation.args[0]);
  return moved_[argument] = append(negation);
}

std::uint32_t Negations::zero_minus(const Instruction& negation) {
  const std::uint32_t zero = append({Op::constant, negation.type});
  return append({Op::sub, negation.type, {zero, negation.args[0], kNone}});
}

}  // namespace

Kernel without_crossing_negations(Kernel kernel) {
  kernel.code = Negations(kernel.code).run();
  return kernel;
}

}  // namespace imago::ir
