// This file defines symbolic complex numbers, pairs of IR values, so that a block reads like its
// formula.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "ir/builder.hpp"

namespace imago::blocks {

/// A symbolic complex value; a scalar, or a vector with one complex number per lane.
struct Cx {
  ir::Value re, im;
};
using Points = std::vector<Cx>;

/// Returns a * exp(-2 pi i phase / order): exact for quarters, two multiplications for eighths.
Cx rotated(const Cx& a, unsigned phase, unsigned order);
/// Returns the factor that a pair of numbers of a table is: a complex number, or, in a prime field,
/// a root and its inverse.
Cx factor_of(const ir::Value& pair);
/// The place of factors in a table: the first numbers begin at index + offset, the second ones
/// `apart` numbers after them.
struct FactorPlace {
  ir::Value index;
  std::int64_t offset = 0, apart = 0;
};
/// Returns the factors, one for each lane.
Cx loaded_factors(ir::MemoryId table, const FactorPlace& place, unsigned lanes);

inline Cx operator+(const Cx& a, const Cx& b) { return {a.re + b.re, a.im + b.im}; }
inline Cx operator-(const Cx& a, const Cx& b) { return {a.re - b.re, a.im - b.im}; }
/// Returns true for the elements of a prime field, in which a complex number is a pair of residues
/// that are transformed independently: products are those of the parts, and both parts of a factor
/// are the same root.
inline bool is_word(ir::Type type) {
  return type.base == ir::Base::residue || type.base == ir::Base::residue32;
}
inline Cx operator*(const Cx& a, const Cx& b) {
  if (is_word(a.re.type())) {
    const ir::Value re = a.re * b.re, im = a.im * b.im;
    return {re, im};
  }
  const ir::Value imim = a.im * b.im, rere = a.re * b.re, re = rere - imim;
  const ir::Value imre = a.im * b.re, reim = a.re * b.im;
  return {re, reim + imre};
}
inline Cx scaled(const Cx& a, double factor) {
  return {ir::scaled(a.re, factor), ir::scaled(a.im, factor)};
}
/// Returns -i * a, the rotation of a forward radix-4 butterfly; it costs only a change of sign.
inline Cx times_minus_i(const Cx& a) {
  return is_word(a.re.type()) ? rotated(a, 1, 4) : Cx{a.im, -a.re};
}
inline Cx swapped(const Cx& a) { return {a.im, a.re}; }

/// Returns `other` if the condition is true, else `value`.
inline Cx unless(const ir::Condition& condition, const Cx& value, const Cx& other) {
  if (condition.is_never()) return value;
  ir::Builder& b = value.re.builder();
  return {b.select(condition, other.re, value.re), b.select(condition, other.im, value.im)};
}
/// Returns the result of a formula: rounded in reproducible kernels, else as it is.
inline Cx settled(const Cx& x) { return {ir::settled(x.re), ir::settled(x.im)}; }
inline Points settled(Points points) {
  for (Cx& x : points) x = settled(x);
  return points;
}
inline Cx negated(const Cx& x) { return {-x.re, -x.im}; }

}  // namespace imago::blocks
