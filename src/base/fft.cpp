// This file implements the host's Fourier transform.
#include "base/fft.hpp"

#include <cstddef>

#include "base/integers.hpp"
#include "base/roots.hpp"

namespace imago::base {
namespace {

using Complex = std::complex<double>;

class Dft {
 public:
  explicit Dft(std::size_t n) : roots_(n) {
    for (std::size_t k = 0; k < n; ++k) roots_[k] = root_of_unity(k, n);
    for (const auto prime : prime_factors(n)) factors_.push_back(prime);
  }

  /// Transforms x[0], x[stride], ... (n of them) to out[0 .. n-1], taking the factors from `level`.
  void transform(const Complex* x, std::size_t stride, std::size_t n, std::size_t level,
                 Complex* out) const {
    if (n == 1) {
      out[0] = x[0];
      return;
    }
    const std::size_t p = factors_[level], m = n / p;
    for (std::size_t r = 0; r < p; ++r)
      transform(x + r * stride, stride * p, m, level + 1, out + r * m);
    // Root k of order n is root k * stride of order roots_.size().
    std::vector<Complex> legs(p);
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t r = 0; r < p; ++r) legs[r] = out[r * m + k] * roots_[r * k * stride];
      for (std::size_t s = 0; s < p; ++s) {
        Complex sum = legs[0];
        for (std::size_t r = 1; r < p; ++r)
          sum += p == 2 ? (s == 0 ? legs[1] : -legs[1]) : legs[r] * roots_[r * s % p * m * stride];
        out[s * m + k] = sum;
      }
    }
  }

 private:
  std::vector<Complex> roots_;
  std::vector<std::size_t> factors_;
};

}  // namespace

std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& x) {
  std::vector<Complex> out(x.size());
  if (!x.empty()) Dft(x.size()).transform(x.data(), 1, x.size(), 0, out.data());
  return out;
}

}  // namespace imago::base
