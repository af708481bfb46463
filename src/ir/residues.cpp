// This file renders doubles as residues.
#include "ir/residues.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

#include "base/errors.hpp"
#include "ir/spelling.hpp"
#include "kernels/text.hpp"

namespace imago::ir {
namespace {

void to_residue(Type& type) {
  if (type.base == Base::f64) type.base = Base::residue;
}

/// Returns true for a value that is one unit, whatever uses it.
bool is_small(const Instruction& x) {
  switch (x.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::fma:
    case Op::neg:
      return false;
    default:
      return true;
  }
}

/// The units of a product and of its factors: (units of a) (units of b) + 2 is at most 7. A factor
/// of one unit leaves more to the other.
constexpr std::uint8_t kLargeFactor = 5, kFactor = 2;
/// The same if the product is added to at most two units.
constexpr std::uint8_t kLargeFactorOfSum = 3, kSummand = 2;
/// A difference of two such terms is 7 units.
constexpr std::uint8_t kTerm = 3;

/// Returns the most units that operand i of an operation may have.
std::uint8_t most_units(const Kernel& kernel, const Instruction& x, std::size_t i) {
  const auto other = [&] { return is_small(kernel.code[x.args[i == 0 ? 1 : 0]]); };
  switch (x.op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return kTerm;
    case Op::mul:
      return other() ? kLargeFactor : kFactor;
    case Op::fma:
      if (i == 2) return kSummand;
      return other() ? kLargeFactorOfSum : 1;
    default:
      return 1;
  }
}

/// Returns the units of a result that is not folded.
unsigned raw_units(const Instruction& x, const std::vector<std::uint8_t>& units) {
  const auto of = [&](std::size_t i) -> unsigned { return units[x.args[i]]; };
  switch (x.op) {
    case Op::add:
      return of(0) + of(1);
    case Op::sub:
      return of(0) + of(1) + 1;
    case Op::neg:
      return of(0) + 1;
    case Op::mul:
      return of(0) * of(1) + 2;
    case Op::fma:
      return of(0) * of(1) + 2 + of(2);
    default:
      return 1;
  }
}

}  // namespace

Kernel in_ring(Kernel kernel, base::Ring ring) {
  kernel.ring = ring;
  for (Instruction& x : kernel.code) {
    to_residue(x.type);
    if (!is_residue(x.type)) continue;
    if (x.op == Op::constant)
      x.integer = static_cast<std::int64_t>(base::m61::of_constant(x.number));
    const bool known = is_small(x) ? x.op != Op::convert && function_name(x.op, x.type) == nullptr
                                   : residue_function(x.op) != nullptr;
    if (!known || x.op == Op::div || x.op == Op::at_least || x.op == Op::user_call)
      base::internal_error("kernel " + kernel.name + ": an operation has no residues");
  }
  for (Memory& memory : kernel.memories) to_residue(memory.element);
  for (Parameter& parameter : kernel.parameters) to_residue(parameter.type);
  return kernel;
}

std::string residue_definitions(const Kernel& kernel) {
  std::set<unsigned> widths;
  for (const Instruction& x : kernel.code) {
    if (is_residue(x.type)) widths.insert(x.type.lanes);
  }
  if (!widths.empty()) widths.insert(1);  // lanes of vectors
  std::string text;
  for (const unsigned lanes : widths) {
    const std::string suffix = lanes == 1 ? std::string() : " " + std::to_string(lanes);
    text += joined({"#define N", suffix, "\n", kernels::text("m61.cl"), "#undef N\n"});
  }
  return text;
}

ResidueUnits residue_units(const Kernel& kernel) {
  constexpr std::uint8_t kMost = 7;
  std::vector<std::uint8_t> most(kernel.code.size(), kMost);
  for (const Instruction& x : kernel.code) {
    for (std::size_t i = 0; i < std::size(x.args); ++i) {
      if (x.args[i] == kNone) continue;
      std::uint8_t& own = most[x.args[i]];
      own = std::min(own, most_units(kernel, x, i));
    }
  }
  ResidueUnits found{std::vector<std::uint8_t>(kernel.code.size(), 1),
                     std::vector<bool>(kernel.code.size())};
  for (std::size_t n = 0; n < kernel.code.size(); ++n) {
    const Instruction& x = kernel.code[n];
    if (!is_residue(x.type) || is_small(x)) continue;
    const unsigned units = raw_units(x, found.units);
    if (units > kMost)
      base::internal_error("kernel " + kernel.name + ": a residue is larger than its word");
    found.raw[n] = units <= most[n];
    if (found.raw[n]) found.units[n] = static_cast<std::uint8_t>(units);
  }
  return found;
}

const char* residue_function(Op op) {
  switch (op) {
    case Op::add:
      return "add";
    case Op::sub:
      return "sub";
    case Op::mul:
      return "mul";
    case Op::neg:
      return "neg";
    case Op::fma:
      return "fma";
    default:
      return nullptr;
  }
}

}  // namespace imago::ir
