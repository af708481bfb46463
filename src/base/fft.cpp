// This file implements the host's Fourier transform.
#include "base/fft.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/integers.hpp"
#include "base/roots.hpp"

namespace imago::base {
namespace {

using Complex = std::complex<double>;

/// Multiplies without the checks for infinities that the standard's operator makes.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Complex times_minus_i(Complex a) { return {a.imag(), -a.real()}; }

class Dft {
 public:
  explicit Dft(std::size_t n) : roots_(n), factors_(prime_factors(n)) {
    const Roots roots(n);
    for (std::size_t k = 0; k < n; ++k) roots_[k] = roots(k);
    // Replaces each pair of factors 2 by a factor 4.
    const auto twos = std::count(factors_.begin(), factors_.end(), 2u);
    factors_.erase(factors_.begin(), factors_.begin() + twos / 2 * 2);
    factors_.insert(factors_.begin(), twos / 2, 4);
    legs_.resize(factors_.empty() ? 1 : std::max<std::uint64_t>(4, factors_.back()));
  }

  /// Transforms x[0], x[stride], ... (n elements) to out[0 .. n-1], with the factors starting at
  /// `level`.
  void transform(const Complex* x, std::size_t stride, std::size_t n, std::size_t level,
                 Complex* out) {
    if (n == 1) {
      out[0] = x[0];
      return;
    }
    const std::size_t p = factors_[level], m = n / p;
    for (std::size_t r = 0; r < p; ++r)
      transform(x + r * stride, stride * p, m, level + 1, out + r * m);
    for (std::size_t k = 0; k < m; ++k) {
      // Root k of order n is root k * stride of order roots_.size().
      legs_[0] = out[k];
      for (std::size_t r = 1; r < p; ++r) legs_[r] = times(out[r * m + k], roots_[r * k * stride]);
      p == 4 ? butterfly4(out + k, m) : butterfly(p, m * stride, out + k, m);
    }
  }

 private:
  /// Stores the DFT of the four inputs in out[0], out[m], ...
  void butterfly4(Complex* out, std::size_t m) const {
    const Complex even = legs_[0] + legs_[2], odd = legs_[1] + legs_[3];
    const Complex difference = legs_[0] - legs_[2], turned = times_minus_i(legs_[1] - legs_[3]);
    out[0] = even + odd, out[m] = difference + turned;
    out[2 * m] = even - odd, out[3 * m] = difference - turned;
  }

  /// Computes the DFT of p inputs, whose roots are `step` apart.
  void butterfly(std::size_t p, std::size_t step, Complex* out, std::size_t m) const {
    for (std::size_t s = 0; s < p; ++s) {
      Complex sum = legs_[0];
      for (std::size_t r = 1; r < p; ++r) sum += times(legs_[r], roots_[r * s % p * step]);
      out[s * m] = sum;
    }
  }

  std::vector<Complex> roots_;
  std::vector<std::uint64_t> factors_;
  std::vector<Complex> legs_;  ///< inputs of the current butterfly
};

constexpr std::size_t kMostAtOnce = 8192;  // together with its roots this fits into the
                                           // second-level cache
constexpr std::size_t kTile = 8;           // columns of a tile: two cache lines of each row

/// Returns the largest divisor of n up to its square root; 1 for primes.
std::size_t middle_divisor(std::size_t n) {
  auto d = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (n % d != 0) --d;
  return d;
}

/// Transforms columns of `rows` points (x[j * columns + c]), multiplies by the roots of order n and
/// transforms rows. Works on tiles, so that adjacent elements in memory are used together.
class LargeDft {
 public:
  LargeDft(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), of_columns_(rows), of_rows_(columns) {}

  std::vector<Complex> transform(const std::vector<Complex>& x) {
    std::vector<Complex> turned(x.size()), out(x.size());
    const Roots roots(x.size());
    over_tiles(x, columns_, rows_, of_columns_, [&](std::size_t c, std::size_t k, Complex value) {
      turned[c * rows_ + k] = times(value, roots(c * k));
    });
    over_tiles(turned, rows_, columns_, of_rows_,
               [&](std::size_t k, std::size_t l, Complex value) { out[l * rows_ + k] = value; });
    return out;
  }

 private:
  /// Transforms the columns of x, a matrix of `length` rows, and calls store(column, k, value).
  template <class Store>
  static void over_tiles(const std::vector<Complex>& x, std::size_t columns, std::size_t length,
                         Dft& dft, Store store) {
    std::vector<Complex> from(kTile * length), to(kTile * length);
    for (std::size_t first = 0; first < columns; first += kTile) {
      const std::size_t tile = std::min(kTile, columns - first);
      for (std::size_t j = 0; j < length; ++j) {
        for (std::size_t c = 0; c < tile; ++c) from[c * length + j] = x[j * columns + first + c];
      }
      for (std::size_t c = 0; c < tile; ++c)
        dft.transform(&from[c * length], 1, length, 0, &to[c * length]);
      for (std::size_t k = 0; k < length; ++k) {
        for (std::size_t c = 0; c < tile; ++c) store(first + c, k, to[c * length + k]);
      }
    }
  }

  std::size_t rows_, columns_;
  Dft of_columns_, of_rows_;
};

}  // namespace

std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& x) {
  if (x.empty()) return {};
  const std::size_t rows = middle_divisor(x.size());
  if (x.size() > kMostAtOnce && rows > 1) return LargeDft(rows, x.size() / rows).transform(x);
  std::vector<Complex> out(x.size());
  Dft(x.size()).transform(x.data(), 1, x.size(), 0, out.data());
  return out;
}

}  // namespace imago::base
