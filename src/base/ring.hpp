// This file computes exactly in rings of residues, which exact transforms have in place of floating
// point numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace imago::base {

/// The ring that a kernel computes in.
enum class Ring : std::uint8_t {
  none,  ///< floating point numbers
  m61,   ///< integers modulo 2^61 - 1; complex numbers are the field of its square
  // The elements of the others are single residues, in place of complex numbers.
  goldilocks,  ///< integers modulo 2^64 - 2^32 + 1
  baby_bear,   ///< integers modulo 2^31 - 2^27 + 1
  koala_bear   ///< integers modulo 2^31 - 2^24 + 1
};

/// Arithmetic modulo p = 2^61 - 1. -1 has no root there, so adjoining i makes a field of p^2
/// elements, whose elements of norm 1 are the powers of one of order 2^61. Residues are from 0 to
/// p - 1.
namespace m61 {

inline constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;

/// Returns x modulo p.
constexpr std::uint64_t residue(std::uint64_t x) {
  const std::uint64_t folded = (x & kModulus) + (x >> 61);
  return folded >= kModulus ? folded - kModulus : folded;
}
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return residue(a + b); }
constexpr std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
  return residue(a + kModulus - b);
}
std::uint64_t product(std::uint64_t a, std::uint64_t b);

/// An element of the field of p^2 elements.
struct Complex {
  std::uint64_t re = 0, im = 0;
  friend bool operator==(const Complex&, const Complex&) = default;
};
Complex product(const Complex& a, const Complex& b);

/// Returns w^phase, where w takes the place of exp(-2 pi i / order): w^order = 1, and w^(order/4) =
/// -i. The order is a power of two up to 2^61.
Complex root_of_unity(std::uint64_t phase, std::uint64_t order);

/// Computes many roots of one order: each is the product of two of about 2 sqrt(order).
class Roots {
 public:
  explicit Roots(std::uint64_t order);
  /// Returns root_of_unity(phase, order).
  Complex operator()(std::uint64_t phase) const;

 private:
  std::uint64_t order_;
  unsigned bits_;  ///< number of low bits of a phase, the index in fine_
  std::vector<Complex> coarse_, fine_;
};

/// Returns the residue of a constant of a kernel: of a number k 2^n with |k| < 2^24, or of the
/// double nearest to a cosine of 2 pi phase / 1024, which becomes that of the root. Throws an
/// internal error for other numbers.
std::uint64_t of_constant(double number);

}  // namespace m61
}  // namespace imago::base
