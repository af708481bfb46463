// This file renders doubles as pairs of floats, for devices without doubles. Kernels are emitted
// and interpreted with doubles; in_pairs() changes their types before they are rendered. A pair is
// the unevaluated sum of two floats (kernels/pairs.cl). In global and local memory it takes the
// place of a double, as an unsigned integer of 64 bits: the caller's memory holds doubles, which
// are decoded and encoded, all other memory holds both floats. In private memory the floats are in
// two arrays, so that vectors of them need no shuffle.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Replaces every double in the kernel's values, parameters and memory by a pair.
Kernel in_pairs(Kernel kernel);

/// Returns all definitions of kernels/pairs.cl for one lane and for each width of pairs among the
/// kernel's values; empty for a kernel without pairs.
std::string pair_definitions(const Kernel& kernel);

constexpr bool is_pair(Type type) { return type.base == Base::pair; }

/// Returns a call of a function of kernels/pairs.cl for pairs of this type.
std::string pair_call(Type type, std::string_view function,
                      std::initializer_list<std::string_view> arguments);

/// Returns a pair whose parts are `part(".high")` and `part(".low")`: what an operation that only
/// moves numbers makes of that part of its operands.
using PairPart = std::function<std::string(const std::string& part)>;
std::string pair_of_parts(Type type, const PairPart& part);

/// Returns a number as a pair, the same in all lanes.
std::string pair_literal(Type type, double number);

/// Returns the function that computes an operation on pairs, or nullptr.
const char* pair_function(Op op);

/// Returns true for an fma of pairs that adds a product: one function computes both.
bool is_dot(const Kernel& kernel, const Instruction& instruction);

struct RawPairs {
  /// True for a pair that is not normalised (kernels/pairs.cl): all that use it accept that, and
  /// its low part has not grown too much. True for a load that only sums and products use.
  std::vector<bool> raw;
  std::vector<bool> normalised;  ///< true for a load that normalises a raw pair of memory
  std::vector<bool> joined;      ///< true for a product that is part of all fmas that use it
};
/// Returns the pairs of a kernel that are raw, for each instruction.
RawPairs raw_pairs(const Kernel& kernel);

}  // namespace imago::ir
