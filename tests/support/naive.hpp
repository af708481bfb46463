// This file implements the DFT by its definition, in long double, as a reference for small
// transforms.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "catalogue/random.hpp"
#include "support/quad.hpp"

namespace imago::test {

template <class Real>
std::vector<std::complex<Real>> random_data(std::size_t count, std::uint64_t seed) {
  catalogue::Random random(seed);
  std::vector<std::complex<Real>> data(count);
  for (auto& value : data) {
    const auto re = static_cast<Real>(random.uniform()), im = static_cast<Real>(random.uniform());
    value = {re, im};
  }
  return data;
}

/// Computes X[k] = sum_j x[j] exp(-+ 2 pi i j k / n).
template <class Real>
std::vector<std::complex<long double>> naive_dft(std::span<const std::complex<Real>> x,
                                                 bool inverse = false) {
  const std::size_t n = x.size();
  std::vector<std::complex<long double>> roots(n), result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto root = quad_root(i, n);
    const auto im = static_cast<long double>(root.im);
    roots[i] = {static_cast<long double>(root.re), inverse ? -im : im};
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      result[k] += std::complex<long double>(x[j].real(), x[j].imag()) * roots[j * k % n];
    }
  }
  return result;
}

/// Returns ||result - expected|| / ||expected||; 0 / 0 is 0, and a NaN stays NaN.
template <class Real, class Wide>
double relative_error(std::span<const std::complex<Real>> result,
                      std::span<const std::complex<Wide>> expected) {
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::complex<long double> want(expected[i].real(), expected[i].imag());
    error += std::norm(std::complex<long double>(result[i].real(), result[i].imag()) - want);
    norm += std::norm(want);
  }
  return static_cast<double>(std::sqrt(norm == 0 ? error : error / norm));
}

}  // namespace imago::test
