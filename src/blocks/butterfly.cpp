// This file holds the Butterfly block: radix 2 and 4 by hand, odd primes by symmetric pairs, the
// rest composed from them (Cooley and Tukey).
#include "blocks/butterfly.hpp"

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

Points radix_2(const Points& x) { return {x[0] + x[1], x[0] - x[1]}; }

Points radix_4(const Points& x) {
  const Cx even = x[0] + x[2], even_odd = x[0] - x[2];
  const Cx odd = x[1] + x[3], odd_odd = times_minus_i(x[1] - x[3]);
  return {even + odd, even_odd + odd_odd, even - odd, even_odd - odd_odd};
}

/// Odd prime p: x[j] and x[p-j] enter X[k] and X[p-k] through their sum and difference only.
Points odd_prime(const Points& x) {
  const auto p = static_cast<unsigned>(x.size());
  const unsigned half = (p - 1) / 2;
  Points sum(half + 1), difference(half + 1), result(p);
  result[0] = x[0];
  for (unsigned j = 1; j <= half; ++j) {
    sum[j] = x[j] + x[p - j];
    difference[j] = x[j] - x[p - j];
    result[0] = result[0] + sum[j];
  }
  for (unsigned k = 1; k <= half; ++k) {
    Cx even = x[0], odd{};
    for (unsigned j = 1; j <= half; ++j) {
      const auto root = base::root_of_unity(j * k, p);
      even = even + scaled(sum[j], root.real());
      const Cx term = scaled(difference[j], -root.imag());
      odd = j == 1 ? term : odd + term;
    }
    const Cx turned = times_minus_i(odd);
    result[k] = even + turned;
    result[p - k] = even - turned;
  }
  return result;
}

/// n = first * second: x[second * a + b] by DFTs over a, rotations, DFTs over b.
Points composed(const Points& x, unsigned first, unsigned second) {
  const auto n = static_cast<unsigned>(x.size());
  std::vector<Points> columns(second);
  for (unsigned b = 0; b < second; ++b) {
    Points column(first);
    for (unsigned a = 0; a < first; ++a) column[a] = x[second * a + b];
    columns[b] = butterfly(column);
  }
  Points result(n);
  for (unsigned k = 0; k < first; ++k) {
    Points row(second);
    for (unsigned b = 0; b < second; ++b) row[b] = rotated(columns[b][k], b * k, n);
    const Points transformed = butterfly(row);
    for (unsigned m = 0; m < second; ++m) result[k + first * m] = transformed[m];
  }
  return result;
}

/// The first factor of a composed radix: 4 where it divides (fewest operations), else the least
/// prime. A prime is its own.
unsigned first_factor(unsigned n) {
  if (n == 8) return 2;
  if (n % 4 == 0) return 4;
  for (const unsigned p : {2u, 3u, 5u, 7u}) {
    if (n % p == 0 && n > p) return p;
  }
  return n;
}

}  // namespace

Points butterfly(const Points& x) {
  const auto n = static_cast<unsigned>(x.size());
  if (n == 1) return x;
  if (n == 2) return radix_2(x);
  if (n == 4) return radix_4(x);
  const unsigned first = first_factor(n);
  return first == n ? odd_prime(x) : composed(x, first, n / first);
}

}  // namespace imago::blocks
