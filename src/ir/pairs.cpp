// This file renders doubles as pairs of floats.
#include "ir/pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>

#include "base/float_pair.hpp"
#include "ir/spelling.hpp"
#include "kernels/text.hpp"

namespace imago::ir {
namespace {

void to_pair(Type& type) {
  if (type.base == Base::f64) type.base = Base::pair;
}

std::string float_literal(Type type, double number) {
  Instruction constant;
  constant.type = {Base::f32, 1};
  constant.number = number;
  return vector_literal({Base::f32, type.lanes}, {scalar_literal(constant)});
}

bool adds(Op op) { return op == Op::add || op == Op::sub; }

/// Returns true if operand i of an operation may be raw. Long chains of fmas (butterflies of large
/// primes) have the largest rounding errors, so an fma adds raw products only.
bool accepts_raw(const Kernel& kernel, const Instruction& x, std::size_t i) {
  return adds(x.op) || (x.op == Op::fma && i == 2 && kernel.code[x.args[2]].op == Op::mul);
}

}  // namespace

Kernel in_pairs(Kernel kernel) {
  for (Instruction& x : kernel.code) to_pair(x.type);
  for (Memory& memory : kernel.memories) to_pair(memory.element);
  for (Parameter& parameter : kernel.parameters) to_pair(parameter.type);
  return kernel;
}

std::string pair_definitions(const Kernel& kernel) {
  std::set<unsigned> widths;
  for (const Instruction& x : kernel.code) {
    if (is_pair(x.type)) widths.insert(x.type.lanes);
  }
  if (widths.empty()) return {};
  widths.insert(1);  // lanes of vectors
  std::string text;
  for (const unsigned lanes : widths) {
    const std::string suffix = lanes == 1 ? std::string() : " " + std::to_string(lanes);
    text += joined({"#define N", suffix, "\n", kernels::text("pairs.cl"), "#undef N\n"});
  }
  return text;
}

std::string pair_call(Type type, std::string_view function,
                      std::initializer_list<std::string_view> arguments) {
  std::string text = joined({type_name(type), "_", function});
  const char* separator = "(";
  for (const std::string_view argument : arguments) {
    text.append(separator).append(argument);
    separator = ", ";
  }
  return text.append(")");
}

std::string pair_of_parts(Type type, const PairPart& part) {
  return joined({"((", type_name(type), "){", part(".high"), ", ", part(".low"), "})"});
}

std::string pair_literal(Type type, double number) {
  const base::FloatPair pair(number);
  return pair_of_parts(type, [&](const std::string& part) {
    return float_literal(type, part == ".high" ? pair.high : pair.low);
  });
}

const char* pair_function(Op op) {
  switch (op) {
    case Op::add:
      return "add";
    case Op::sub:
      return "sub";
    case Op::mul:
      return "mul";
    case Op::div:
      return "div";
    case Op::neg:
      return "neg";
    case Op::fma:
      return "fma";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    case Op::less:
      return "less";
    case Op::equal:
      return "equal";
    case Op::rint:
      return "rint";
    case Op::log2:
      return "log2";
    case Op::at_least:
      return "at_least";
    default:
      return nullptr;
  }
}

std::vector<bool> raw_pairs(const Kernel& kernel) {
  std::vector<bool> raw;
  for (const Instruction& x : kernel.code)
    raw.push_back((adds(x.op) || x.op == Op::mul) && is_pair(x.type) && !x.is_rounded);
  for (const Instruction& x : kernel.code) {
    for (std::size_t i = 0; i < std::size(x.args); ++i) {
      if (x.args[i] != kNone && !accepts_raw(kernel, x, i)) raw[x.args[i]] = false;
    }
  }
  // Rounding errors grow with the low parts, so sums with a raw operand are normalised.
  for (std::size_t n = 0; n < raw.size(); ++n) {
    for (const std::uint32_t argument : kernel.code[n].args) {
      if (argument != kNone && raw[argument]) raw[n] = false;
    }
  }
  return raw;
}

}  // namespace imago::ir
