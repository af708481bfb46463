// This file has what tests of nonuniform transforms share: points, numbers, and direct sums in long
// double.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "support/device.hpp"

namespace imago::test {

using Long = std::complex<long double>;
inline constexpr long double kTurn = 2 * std::numbers::pi_v<long double>;

std::size_t product(const std::vector<std::size_t>& lengths);

/// Kinds of places of points.
enum class Places { uniform, far, one_place, cluster, edges, crowd, two_clusters };
inline constexpr Places kPlaces[] = {Places::uniform, Places::far, Places::one_place,
                                     Places::cluster, Places::edges};

/// The points of a case, on the device and exactly (in turns).
struct Points {
  Points(const NufftTransform& transform, std::size_t axes, std::size_t count, Places places,
         std::uint64_t seed);

  NufftPoints on_device;
  std::vector<std::vector<long double>> turns;  ///< for each axis
  std::vector<cl::Buffer> buffers;

 private:
  template <class Number, class Round, class Exact>
  void add(std::size_t axis, const std::vector<double>& own, Round round, Exact exact);
};

/// Returns the factor of each mode at point j: exp(i sign k x).
std::vector<Long> factors(const NufftTransform& transform,
                          const std::vector<std::vector<long double>>& turns, std::size_t j);

/// Returns random numbers, at least one.
template <class Real>
std::vector<std::complex<Real>> numbers(std::size_t count, std::uint64_t seed) {
  catalogue::Random random(seed);
  std::vector<std::complex<Real>> values(std::max<std::size_t>(1, count));
  for (auto& value : values)
    value = {static_cast<Real>(random.uniform()), static_cast<Real>(random.uniform())};
  return values;
}

/// A difference from the exact result, relative to the scale of NufftTransform::tolerance.
template <class Real>
double error_of(const std::complex<Real>* computed, const std::vector<Long>& exact,
                long double scale) {
  if (exact.empty()) return 0;
  long double squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    squares += std::norm(Long(computed[i].real(), computed[i].imag()) - exact[i]);
  return static_cast<double>(std::sqrt(squares) / scale);
}

/// Reads numbers; OpenCL cannot read none.
template <class Real>
std::vector<std::complex<Real>> downloaded(const cl::Buffer& buffer, std::size_t count) {
  if (count == 0) return {};
  return default_device().download<std::complex<Real>>(buffer, count);
}

template <class Real>
long double norm_of(const std::complex<Real>* numbers, std::size_t count) {
  long double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += std::norm(Long(numbers[i]));
  return std::sqrt(squares);
}

/// The errors of both types, relative to the scale of NufftTransform::tolerance.
struct Errors {
  double type1 = 0, type2 = 0;
};

/// Computes both types for random numbers.
Errors errors_of(const NufftTransform& transform, std::size_t count, Places places,
                 const Options& options = {});

}  // namespace imago::test
