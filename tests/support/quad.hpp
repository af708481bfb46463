// This file computes roots of unity in quadruple precision, as a reference for tables in double. It
// shares no code with the library: exact reduction to an eighth of a turn, then the Taylor series.
#pragma once

#include <cstdint>

namespace imago::test {

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
#else
using Quad = long double;  // quadruple precision on the 64-bit machines that have no __float128
#endif

struct QuadComplex {
  Quad re, im;
};

inline Quad absolute(Quad x) { return x < 0 ? -x : x; }

/// Returns pi to quadruple precision by Machin's formula.
inline Quad quad_pi() {
  const auto arctan_of_inverse = [](int x) {
    Quad sum = 0, power = Quad(1) / x;
    for (int i = 1; absolute(power) > Quad(1e-40); i += 2) {
      sum += (i % 4 == 1 ? power : -power) / i;
      power /= x * x;
    }
    return sum;
  };
  return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239));
}

/// Returns exp(-2 pi i phase / order), order < 2^60.
inline QuadComplex quad_root(std::uint64_t phase, std::uint64_t order) {
  static const Quad pi = quad_pi();
  phase %= order;
  const std::uint64_t quarter = 4 * phase / order;
  const Quad angle = pi / 2 * Quad(4 * phase - quarter * order) / Quad(order);  // [0, pi/2)
  Quad cosine = 0, sine = 0, term = 1;
  for (int i = 1; i < 40; ++i) {
    (i % 2 == 1 ? cosine : sine) += (i - 1) % 4 < 2 ? term : -term;
    term *= angle / i;
  }
  switch (quarter) {
    case 0:
      return {cosine, -sine};
    case 1:
      return {-sine, -cosine};
    case 2:
      return {-cosine, sine};
    default:
      return {sine, cosine};
  }
}

}  // namespace imago::test
