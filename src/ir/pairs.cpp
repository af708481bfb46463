// This file renders doubles as pairs of floats.
#include "ir/pairs.hpp"

#include <algorithm>
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

/// Returns true if the result of an operation is one of its operands, or consists of them.
bool moves(Op op) {
  switch (op) {
    case Op::neg:
    case Op::select:
    case Op::splat:
    case Op::pair:
    case Op::extract:
    case Op::shuffle:
      return true;
    default:
      return false;
  }
}

bool loads(Op op) { return op == Op::load || op == Op::load_if || op == Op::load_strided; }
bool stores(Op op) { return op == Op::store || op == Op::store_strided; }

/// Finds the pairs that need not be normalised.
class Rawness {
 public:
  explicit Rawness(const Kernel& kernel)
      : kernel_(kernel),
        may_be_raw_(kernel.code.size(), true),
        may_load_raw_(may_be_raw_),
        only_computed_(may_be_raw_),
        growth_(kernel.code.size(), 1) {
    found_.raw.resize(kernel.code.size());
    found_.normalised.resize(kernel.code.size());
    found_.joined = joined();
    for (const Instruction& x : kernel.code) {
      computes_ = computes_ || computes(x);
      is_cautious_ = is_cautious_ || x.is_rounded ||
                     (x.op == Op::fma && is_pair(x.type) && !is_dot(kernel, x));
    }
  }

  RawPairs run() {
    for (std::size_t n = kernel_.code.size(); n-- > 0;) limit(n);
    for (std::size_t n = 0; n < kernel_.code.size(); ++n) {
      if (is_pair(kernel_.code[n].type)) grow(n);
    }
    return std::move(found_);
  }

 private:
  /// The largest variance of the low part, relative to that of a normalised pair. Each sum
  /// increases it by one, and rounding errors grow with it.
  static constexpr double kMostGrowth = 3.75, kMostIfCautious = 2;

  std::vector<bool> joined() const;
  bool takes_raw(const Instruction& x) const;
  bool accepts_raw(const Instruction& x, std::size_t i) const;
  void limit(std::size_t n);
  void grow(std::size_t n);
  double grown(const Instruction& x) const;
  bool computes(const Instruction& x) const {
    return is_pair(x.type) && (adds(x.op) || x.op == Op::mul || is_dot(kernel_, x));
  }
  /// Returns true for a memory that may hold raw pairs: of this kernel, or of another one.
  bool is_raw(const Memory& memory) const {
    const bool global = memory.space == Space::global;
    return !memory.doubles && (global || (computes_ && !is_cautious_));
  }

  const Kernel& kernel_;
  bool computes_ = false;  ///< the kernel has sums or products
  /// Only sums have raw operands, in two cases. Fmas that add other fmas (butterflies of odd
  /// radices) have the largest rounding errors. In a reproducible kernel the bits must not depend
  /// on whether a value passes through memory, or on the other phases of the kernel.
  bool is_cautious_ = false;
  std::vector<bool> may_be_raw_;     ///< all that use the value accept raw pairs
  std::vector<bool> may_load_raw_;   ///< all that use the value take raw pairs
  std::vector<bool> only_computed_;  ///< all that use the value are sums and products
  std::vector<double> growth_;
  RawPairs found_;
};

std::vector<bool> Rawness::joined() const {
  std::vector<bool> in_dots(kernel_.code.size()), elsewhere(kernel_.code.size());
  for (const Instruction& x : kernel_.code) {
    for (std::size_t i = 0; i < std::size(x.args); ++i) {
      if (x.args[i] != kNone)
        (i == 2 && is_dot(kernel_, x) ? in_dots : elsewhere)[x.args[i]] = true;
    }
  }
  for (std::size_t n = 0; n < in_dots.size(); ++n) in_dots[n] = in_dots[n] && !elsewhere[n];
  return in_dots;
}

/// Returns true if the result of an operation on raw pairs is right.
bool Rawness::takes_raw(const Instruction& x) const {
  if (stores(x.op)) return !kernel_.memories[x.memory].doubles;
  return adds(x.op) || moves(x.op) || x.op == Op::mul || x.op == Op::fma;
}

/// Returns true if operand i of an operation may be raw: its result is also accurate enough.
bool Rawness::accepts_raw(const Instruction& x, std::size_t i) const {
  if (adds(x.op) || moves(x.op) || (i == 2 && is_dot(kernel_, x))) return true;
  return !is_cautious_ && takes_raw(x);
}

void Rawness::limit(std::size_t n) {
  const Instruction& x = kernel_.code[n];
  const bool moved = moves(x.op);
  for (std::size_t i = 0; i < std::size(x.args); ++i) {
    const std::uint32_t argument = x.args[i];
    if (argument == kNone) continue;
    if (!accepts_raw(x, i) || (moved && !may_be_raw_[n])) may_be_raw_[argument] = false;
    if (!takes_raw(x) || (moved && !may_load_raw_[n])) may_load_raw_[argument] = false;
    if (!takes_raw(x) || stores(x.op) || (moved && !only_computed_[n]))
      only_computed_[argument] = false;
  }
}

void Rawness::grow(std::size_t n) {
  const Instruction& x = kernel_.code[n];
  growth_[n] = grown(x);
  if (loads(x.op)) {
    found_.raw[n] = only_computed_[n];
    found_.normalised[n] = is_raw(kernel_.memories[x.memory]) && !may_load_raw_[n];
    if (found_.normalised[n]) growth_[n] = 1;
  } else if (computes(x)) {
    const double most = is_cautious_ ? kMostIfCautious : kMostGrowth;
    found_.raw[n] = may_be_raw_[n] && !x.is_rounded && growth_[n] <= most;
    if (!found_.raw[n]) growth_[n] = 1;
  }
}

double Rawness::grown(const Instruction& x) const {
  const auto of = [&](std::size_t i) { return growth_[x.args[i]]; };
  if (adds(x.op)) return (of(0) + of(1)) / 2 + 1;
  if (x.op == Op::mul) return of(0) + of(1) + 1;
  if (is_dot(kernel_, x)) return (of(0) + of(1) + 1 + grown(kernel_.code[x.args[2]])) / 2 + 1;
  if (loads(x.op)) return !is_cautious_ && is_raw(kernel_.memories[x.memory]) ? kMostGrowth : 1;
  double most = 1;
  for (const std::uint32_t argument : x.args) {
    if (moves(x.op) && argument != kNone) most = std::max(most, growth_[argument]);
  }
  return most;
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

bool is_dot(const Kernel& kernel, const Instruction& x) {
  if (x.op != Op::fma || !is_pair(x.type)) return false;
  const Instruction& product = kernel.code[x.args[2]];
  return product.op == Op::mul && !product.is_rounded;
}

RawPairs raw_pairs(const Kernel& kernel) { return Rawness(kernel).run(); }

}  // namespace imago::ir
