// This file computes in the prime fields whose elements are single words of a kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ring.hpp"

namespace imago::base {

/// Returns true for the rings whose elements are single residues.
constexpr bool is_prime_field(Ring ring) { return ring != Ring::none && ring != Ring::m61; }

/// A prime field. Its residues are from 0 to modulus - 1.
struct PrimeField {
  std::uint64_t modulus = 0;
  std::uint64_t generator = 0;  ///< the least residue whose powers are all but 0
  unsigned bits = 0;            ///< roots of unity of order 2^bits exist
  /// True if a word of 64 bits holds a residue; else one of 32 bits does, and constant factors of a
  /// kernel are multiplied by 2^32 (Montgomery, Math. Comp. 44, 1985).
  bool wide = false;

  std::uint64_t sum(std::uint64_t a, std::uint64_t b) const {
    return a >= modulus - b ? a - (modulus - b) : a + b;
  }
  std::uint64_t difference(std::uint64_t a, std::uint64_t b) const {
    return a >= b ? a - b : a + (modulus - b);
  }
  std::uint64_t product(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const;
  std::uint64_t inverse(std::uint64_t a) const { return power(a, modulus - 2); }
  /// Returns w^phase, where w = generator^((modulus - 1) / order). The order is a power of two up
  /// to 2^bits.
  std::uint64_t root_of_unity(std::uint64_t phase, std::uint64_t order) const;
  /// Returns the word of a residue that multiplies in kernels, and the reverse.
  std::uint64_t factor(std::uint64_t a) const;
  std::uint64_t of_factor(std::uint64_t word) const;
  /// Returns the residue of a constant of a kernel: 0, or the root of so many turns, above 0 and at
  /// most 1. Throws an internal error for other numbers.
  std::uint64_t of_turns(double turns) const;
  /// Returns the residue of a scaling factor, a power of two. Throws an internal error for other
  /// numbers.
  std::uint64_t of_scale(double scale) const;
  /// Returns start, start factor and so on.
  std::vector<std::uint64_t> powers(std::uint64_t start, std::uint64_t factor,
                                    std::uint64_t count) const;
};

const PrimeField& prime_field(Ring ring);

/// Computes many roots of one order, as factors: each is the product of two of about 2 sqrt(order).
class FieldRoots {
 public:
  FieldRoots(const PrimeField& field, std::uint64_t order);
  /// Returns factor(root_of_unity(phase, order)).
  std::uint64_t operator()(std::uint64_t phase) const;

 private:
  const PrimeField& field_;
  std::uint64_t order_;
  unsigned bits_;  ///< number of low bits of a phase, the index in fine_
  std::vector<std::uint64_t> coarse_, fine_;
};

}  // namespace imago::base
