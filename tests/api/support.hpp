// This file holds helpers for the tests of the public API: data, a naive DFT in double precision, a
// comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include <imago/imago.hpp>

#include "support/calls.hpp"
#include "support/device.hpp"

namespace imago::test {

template <class T>
std::vector<std::complex<T>> noise(std::size_t count, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<std::complex<T>> values(count);
  for (auto& value : values) value = {uniform(generator), uniform(generator)};
  return values;
}

/// Returns the DFT of `length` elements starting at `first`; sign -1: forward.
template <class T>
std::vector<std::complex<double>> naive_dft(const std::vector<std::complex<T>>& x,
                                            std::size_t first, std::size_t length, int sign) {
  std::vector<std::complex<double>> sums(length);
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t j = 0; j < length; ++j) {
      const double angle = sign * 2 * std::numbers::pi * static_cast<double>(j * k % length) /
                           static_cast<double>(length);
      sums[k] += std::complex<double>(x[first + j]) * std::polar(1.0, angle);
    }
  }
  return sums;
}

/// Returns ||a - b|| / ||b||.
template <class A, class B>
double distance(const std::vector<A>& a, const std::vector<B>& b) {
  if (a.size() != b.size()) return 1;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(std::complex<double>(a[i]) - std::complex<double>(b[i]));
    size += std::norm(std::complex<double>(b[i]));
  }
  return std::sqrt(difference / std::max(size, 1e-300));
}

inline Transform transform(std::size_t length, std::size_t batch = 1,
                           Placement placement = Placement::out_of_place) {
  Transform t;
  t.lengths = {length};
  t.batch = batch;
  t.placement = placement;
  return t;
}

/// Returns parameters that give two kernels and a workspace for a length that needs neither.
inline Options two_kernels() {
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;
  return options;
}

}  // namespace imago::test
