// This file renders residues, for exact transforms, in two ways.
//
// Modulo 2^61 - 1, kernels are emitted and interpreted with doubles, as for pairs; in_ring()
// changes their types, and their constants to those residues that the constants' places in the
// transform require, before they are rendered. A residue is an unsigned integer of 64 bits, also in
// memory. The caller's memory holds signed integers, which are decoded and encoded.
//
// In the prime fields (base/prime_field.hpp), kernels are emitted with residues, which are less
// than the modulus everywhere. A constant is the number of turns of a root, or 0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Replaces every double in the kernel's values, parameters and memory by a residue, and sets the
/// constants. Throws an internal error for operations that a ring does not have.
Kernel in_ring(Kernel kernel, base::Ring ring);

constexpr bool is_residue(Type type) {
  return type.base == Base::residue || type.base == Base::residue32;
}

/// Returns all definitions of the ring's functions for each width of residues among the kernel's
/// values; empty for a kernel without residues.
std::string residue_definitions(const Kernel& kernel);

/// The factor of a product that is a power of two, 2^bits or -2^bits: shifts of the word.
struct PowerFactor {
  std::uint32_t other = kNone;  ///< the other operand
  unsigned bits = 0;
  bool is_negative = false;
};
/// Returns the power of two of a product, or of the product in an fma.
std::optional<PowerFactor> power_factor(const Kernel& kernel, const Instruction& product);

/// The largest words of values, in units of about the modulus: a word has less than 8 of them.
struct ResidueUnits {
  std::vector<std::uint8_t> units;  ///< the units of each instruction
  std::vector<bool> raw;            ///< true if the result is not folded to one unit
  std::vector<bool> joined;  ///< true for a product that is a part of the only fma that adds it
};
ResidueUnits residue_units(const Kernel& kernel);

/// Returns the expression of an operation on residues: a call of the ring's functions. `text`
/// returns the text of a value.
std::string residue_expression(const Kernel& kernel, std::uint32_t index, const ResidueUnits& units,
                               const std::function<std::string(std::uint32_t)>& text);

/// Returns true if the ring has the operation.
bool has_residues(Op op);

}  // namespace imago::ir
