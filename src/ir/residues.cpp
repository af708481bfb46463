// This file renders doubles as residues.
#include "ir/residues.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <set>

#include "base/errors.hpp"
#include "base/prime_field.hpp"
#include "ir/limbs.hpp"
#include "ir/spelling.hpp"
#include "kernels/text.hpp"

namespace imago::ir {
namespace {

bool has_words(const Kernel& kernel) { return base::is_prime_field(kernel.ring); }

void to_residue(Type& type) {
  if (type.base == Base::f64) type.base = Base::residue;
}

/// Returns true for a value that is one unit, whatever uses it.
bool is_small(const Instruction& x) { return !has_residues(x.op); }

constexpr std::uint8_t kMost = 7;
/// The units of a product are those of its factors multiplied, and 2; of two products, 3. A factor
/// of one unit leaves more to the other.
constexpr std::uint8_t kLargeFactor = 5, kFactor = 2, kFactorOfTwo = 2;
/// Factors of a product that is added to at most two units.
constexpr std::uint8_t kLargeFactorOfSum = 3, kSummand = 2;
/// A difference of two such terms is 7 units.
constexpr std::uint8_t kTerm = 3;

/// Finds the units of all values.
class Measurement {
 public:
  explicit Measurement(const Kernel& kernel) : kernel_(kernel), most_(kernel.code.size(), kMost) {
    found_.units.assign(kernel.code.size(), 1);
    found_.raw.resize(kernel.code.size());
    found_.joined.resize(kernel.code.size());
    join();
    for (const Instruction& x : kernel.code) limit(x);
  }

  ResidueUnits run() {
    for (std::uint32_t n = 0; n < kernel_.code.size(); ++n) {
      const Instruction& x = kernel_.code[n];
      if (!is_residue(x.type) || is_small(x) || found_.joined[n]) continue;
      const unsigned units = raw_units(x);
      if (units > kMost)
        base::internal_error("kernel " + kernel_.name + ": a residue is larger than its word");
      found_.raw[n] = units <= most_[n];
      if (found_.raw[n]) found_.units[n] = static_cast<std::uint8_t>(units);
    }
    return std::move(found_);
  }

 private:
  void join();
  void limit(const Instruction& x);
  std::uint8_t most_units(const Instruction& x, std::size_t i) const;
  unsigned raw_units(const Instruction& x) const;
  unsigned product_units(const Instruction& x) const {
    return found_.units[x.args[0]] * found_.units[x.args[1]];
  }
  bool is_dot(const Instruction& x) const { return x.op == Op::fma && found_.joined[x.args[2]]; }

  const Kernel& kernel_;
  std::vector<std::uint8_t> most_;
  ResidueUnits found_;
};

/// Finds the products that only one fma adds.
void Measurement::join() {
  std::vector<unsigned> uses(kernel_.code.size());
  for (const Instruction& x : kernel_.code) {
    for (const std::uint32_t argument : x.args) {
      if (argument != kNone) ++uses[argument];
    }
  }
  for (const Instruction& x : kernel_.code) {
    if (x.op != Op::fma || !is_residue(x.type) || power_factor(kernel_, x)) continue;
    const Instruction& added = kernel_.code[x.args[2]];
    if (added.op == Op::mul && uses[x.args[2]] == 1 && !power_factor(kernel_, added))
      found_.joined[x.args[2]] = true;
  }
}

void Measurement::limit(const Instruction& x) {
  const bool joins = is_residue(x.type) && is_dot(x);
  const auto lower = [&](std::uint32_t argument, std::uint8_t most) {
    most_[argument] = std::min(most_[argument], most);
  };
  for (std::size_t i = 0; i < std::size(x.args); ++i) {
    if (x.args[i] != kNone && !(joins && i == 2)) lower(x.args[i], most_units(x, i));
  }
  if (!joins) return;
  const Instruction& other = kernel_.code[x.args[2]];
  for (std::size_t i = 0; i < 2; ++i) {
    lower(x.args[i], is_small(kernel_.code[x.args[1 - i]]) ? kFactorOfTwo : 1);
    lower(other.args[i], is_small(kernel_.code[other.args[1 - i]]) ? kFactorOfTwo : 1);
  }
}

/// Returns the most units that operand i of an operation may have.
std::uint8_t Measurement::most_units(const Instruction& x, std::size_t i) const {
  const auto other = [&] { return is_small(kernel_.code[x.args[i == 0 ? 1 : 0]]); };
  switch (x.op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return kTerm;
    case Op::mul:
      if (power_factor(kernel_, x)) return kMost;
      return other() ? kLargeFactor : kFactor;
    case Op::fma:
      if (i == 2) return kSummand;
      if (power_factor(kernel_, x)) return kMost;
      return other() ? kLargeFactorOfSum : 1;
    default:
      return 1;
  }
}

/// Returns the units of a result that is not folded.
unsigned Measurement::raw_units(const Instruction& x) const {
  const auto of = [&](std::size_t i) -> unsigned { return found_.units[x.args[i]]; };
  const auto power = x.op == Op::mul || x.op == Op::fma ? power_factor(kernel_, x) : std::nullopt;
  switch (x.op) {
    case Op::add:
      return of(0) + of(1);
    case Op::sub:
      return of(0) + of(1) + 1;
    case Op::neg:
      return of(0) + 1;
    case Op::mul:
      return power ? power->is_negative + 1u : product_units(x) + 2;
    case Op::fma:
      if (is_dot(x)) return product_units(x) + product_units(kernel_.code[x.args[2]]) + 3;
      return of(2) + (power ? power->is_negative + 1u : product_units(x) + 2);
    default:
      return 1;
  }
}

/// Returns the word of a constant.
std::uint64_t constant(base::Ring ring, double number) {
  if (!base::is_prime_field(ring)) return base::m61::of_constant(number);
  const base::PrimeField& field = base::prime_field(ring);
  return field.factor(field.of_turns(number));
}

/// Returns the arguments of scaled() for a constant factor: its residue w, and w 2^32 / modulus,
/// rounded down. Returns an empty text if a factor is not constant.
std::string scale_of(const Kernel& kernel, std::uint32_t factor) {
  const Instruction& x = kernel.code[factor];
  const base::PrimeField& field = base::prime_field(kernel.ring);
  if (x.op != Op::constant || field.wide) return {};
  const std::uint64_t residue = field.of_factor(static_cast<std::uint64_t>(x.integer));
  return joined(
      {std::to_string(residue), "U, ", std::to_string((residue << 32) / field.modulus), "U"});
}

/// Returns the definitions of a ring's functions before their first width.
std::string constants_of(base::Ring ring) {
  if (ring != base::Ring::baby_bear && ring != base::Ring::koala_bear) return {};
  const std::uint64_t modulus = base::prime_field(ring).modulus;
  std::uint64_t inverse = 1;  // modulo 2^32: each step doubles the number of right bits
  for (int step = 0; step < 5; ++step) inverse *= 2 - modulus * inverse;
  return joined({"#define MODULUS ", std::to_string(modulus), "U\n#define MODULUS_INVERSE ",
                 std::to_string(inverse & 0xffffffff), "U\n"});
}

const char* text_of(base::Ring ring) {
  return ring == base::Ring::m61          ? "m61.cl"
         : ring == base::Ring::goldilocks ? "goldilocks.cl"
                                          : "montgomery.cl";
}

/// Returns n if the word is 2^n, for n above 0 and below 96, in a ring where that is a few shifts.
std::optional<unsigned> shift_of(base::Ring ring, std::uint64_t word) {
  if (ring != base::Ring::goldilocks) return {};
  const base::PrimeField& field = base::prime_field(ring);
  std::uint64_t power = 2;
  for (unsigned bits = 1; bits < 96; ++bits, power = field.sum(power, power)) {
    if (power == word) return bits;
  }
  return {};
}

/// Returns a call of a ring's function.
std::string called(Type type, const std::string& function,
                   std::initializer_list<std::string> operands) {
  std::string made = joined({"residue", lanes_suffix(type), "_", function});
  const char* separator = "(";
  for (const std::string& operand : operands) {
    made.append(separator).append(operand);
    separator = ", ";
  }
  return made.append(")");
}

/// Returns the expression of an operation in a prime field.
std::string word_expression(const Kernel& kernel, const Instruction& x,
                            const std::function<std::string(std::uint32_t)>& text) {
  const auto of = [&](std::size_t i) { return text(x.args[i]); };
  const auto call = [&](const std::string& function, std::initializer_list<std::string> operands) {
    return called(x.type, function, operands);
  };
  if (x.op == Op::neg) return call("neg", {of(0)});
  if (x.op == Op::add || x.op == Op::sub)
    return call(x.op == Op::add ? "add" : "sub", {of(0), of(1)});
  const auto product = [&] {
    if (const auto power = power_factor(kernel, x))
      return call("shifted", {text(power->other), std::to_string(power->bits)});
    for (const std::size_t i : {0, 1}) {
      const std::string scale = scale_of(kernel, x.args[i]);
      if (!scale.empty()) return call("scaled", {of(1 - i), scale});
    }
    return call(is_raw_product(x) ? "raw_mul" : "mul", {of(0), of(1)});
  };
  return x.op == Op::mul ? product() : call("add", {product(), of(2)});
}

}  // namespace

Kernel in_ring(Kernel kernel, base::Ring ring) {
  kernel.ring = ring;
  for (Instruction& x : kernel.code) {
    to_residue(x.type);
    if (!is_residue(x.type)) continue;
    if (x.op == Op::constant) x.integer = static_cast<std::int64_t>(constant(ring, x.number));
    const bool known = is_small(x) ? x.op != Op::convert && function_name(x.op, x.type) == nullptr
                                   : has_residues(x.op);
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
  if (widths.empty()) return {};
  widths.insert(1);  // lanes of vectors
  std::string text = constants_of(kernel.ring);
  for (const unsigned lanes : widths) {
    const std::string suffix = lanes == 1 ? std::string() : " " + std::to_string(lanes);
    text += joined({"#define N", suffix, "\n", kernels::text(text_of(kernel.ring)), "#undef N\n"});
  }
  return text.append(limbs_definitions(kernel));
}

std::optional<PowerFactor> power_factor(const Kernel& kernel, const Instruction& product) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Instruction& factor = kernel.code[product.args[i]];
    if (factor.op != Op::constant) continue;
    const auto word = static_cast<std::uint64_t>(factor.integer);
    if (has_words(kernel)) {
      if (const auto bits = shift_of(kernel.ring, word))
        return PowerFactor{product.args[1 - i], *bits};
      continue;
    }
    for (const bool negative : {false, true}) {
      const std::uint64_t power = negative ? base::m61::kModulus - word : word;
      if (std::has_single_bit(power) && power > 1)
        return PowerFactor{product.args[1 - i], static_cast<unsigned>(std::countr_zero(power)),
                           negative};
    }
  }
  return {};
}

ResidueUnits residue_units(const Kernel& kernel) {
  if (!has_words(kernel)) return Measurement(kernel).run();
  const std::size_t count = kernel.code.size();
  return {std::vector<std::uint8_t>(count, 1), std::vector<bool>(count), std::vector<bool>(count)};
}

std::string residue_expression(const Kernel& kernel, std::uint32_t index, const ResidueUnits& units,
                               const std::function<std::string(std::uint32_t)>& text) {
  const Instruction& x = kernel.code[index];
  if (has_words(kernel)) return word_expression(kernel, x, text);
  const auto call = [&](const std::string& function, std::initializer_list<std::string> operands) {
    return called(x.type, function, operands);
  };
  const std::string raw = units.raw[index] ? "raw_" : "";
  const auto of = [&](std::size_t i) { return text(x.args[i]); };
  // The multiple of the modulus that is no less than a word of so many units.
  const auto multiple = [](unsigned of) { return std::to_string(of + 1) + " * MODULUS"; };
  const auto power = x.op == Op::mul || x.op == Op::fma ? power_factor(kernel, x) : std::nullopt;
  const std::string turned =
      power ? call("turned", {text(power->other), std::to_string(power->bits)}) : std::string();
  switch (x.op) {
    case Op::add:
      return call(raw + "add", {of(0), of(1)});
    case Op::sub:
      return call(raw + "sub", {of(0), of(1), multiple(units.units[x.args[1]])});
    case Op::neg:
      return call(raw + "neg", {of(0), multiple(units.units[x.args[0]])});
    case Op::mul:
      if (power) return power->is_negative ? call(raw + "neg", {turned, multiple(1)}) : turned;
      return call(raw + "mul", {of(0), of(1)});
    default:
      if (power && power->is_negative) return call(raw + "sub", {of(2), turned, multiple(1)});
      if (power) return call(raw + "add", {of(2), turned});
      if (!units.joined[x.args[2]]) return call(raw + "fma", {of(0), of(1), of(2)});
      const Instruction& added = kernel.code[x.args[2]];
      return call(raw + "dot", {of(0), of(1), text(added.args[0]), text(added.args[1])});
  }
}

bool has_residues(Op op) {
  return op == Op::add || op == Op::sub || op == Op::mul || op == Op::neg || op == Op::fma;
}

}  // namespace imago::ir
