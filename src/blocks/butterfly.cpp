// This file holds the Butterfly block: explicit code for radix 2 and 4, symmetric pairs for odd
// primes (large ones: prime_convolution.hpp), and compositions of these for the rest (Cooley and
// Tukey).
#include "blocks/butterfly.hpp"

#include <algorithm>
#include <cmath>

#include "base/roots.hpp"
#include "blocks/prime_convolution.hpp"

namespace imago::blocks {
namespace {

Points radix_2(const Points& x) { return {x[0] + x[1], x[0] - x[1]}; }

Points radix_4(const Points& x) {
  const Cx even = x[0] + x[2], even_odd = x[0] - x[2];
  const Cx odd = x[1] + x[3], odd_odd = times_minus_i(x[1] - x[3]);
  return {even + odd, even_odd + odd_odd, even - odd, even_odd - odd_odd};
}

struct Term {
  Cx value;
  double factor;
};

/// Returns the sum of `sum` and the terms. Terms with small factors come first, so that rounding
/// errors are those of small sums.
Cx added(std::optional<Cx> sum, std::vector<Term> terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::abs(a.factor) < std::abs(b.factor);
  });
  for (const Term& term : terms) {
    const Cx product = scaled(term.value, term.factor);
    sum = sum ? *sum + product : product;
  }
  return *sum;
}

/// Computes the DFT of an odd prime length p. x[j] and x[p-j] enter X[k] and X[p-k] only through
/// their sum and difference. The factors of the sums for each k add up to -1/2. One sum therefore
/// enters all X with -1/2, and the others with their difference from it. This needs no more
/// operations, and for equal points every X but the first is exactly 0.
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
  // If x[0] is real, the imaginary part is this product alone, which sums would contract.
  const Cx common = x[0] - settled(scaled(sum[1], 0.5));
  for (unsigned j = 2; j <= half; ++j) sum[j] = sum[j] - sum[1];
  for (unsigned k = 1; k <= half; ++k) {
    std::vector<Term> sums, differences;
    for (unsigned j = 1; j <= half; ++j) {
      const auto root = base::root_of_unity(j * k, p);
      if (j > 1) sums.push_back({sum[j], root.real()});
      differences.push_back({difference[j], -root.imag()});
    }
    const Cx even = added(common, std::move(sums)), odd = added({}, std::move(differences));
    const Cx turned = times_minus_i(odd);
    result[k] = even + turned;
    result[p - k] = even - turned;
  }
  return result;
}

/// Computes the DFT of length n = first * second: DFTs over a of x[second * a + b], rotations, and
/// DFTs over b.
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

/// Returns the first factor of a composed radix: 4 if it divides n (fewest operations), else the
/// least prime. For a prime it returns n.
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
  if (first < n) return composed(x, first, n / first);
  return suits_convolution(n) ? prime_convolution(x) : odd_prime(x);
}

}  // namespace imago::blocks
