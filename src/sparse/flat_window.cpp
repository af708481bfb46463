// This file holds the windows of the voting method.
#include "sparse/flat_window.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/fft.hpp"
#include "base/integers.hpp"

namespace imago::sparse {
namespace {

using std::numbers::pi;

// Width of the box in buckets: 1.2 * 1.1, sFFT's choice, if the window's lobe is a bucket wide.
// Frequencies beyond (1.32 + 1) / 2 buckets are suppressed.
constexpr double kBox = 1.32;

/// Returns the transform of the Dolph-Chebyshev window with `taps` taps, at v times the sampling
/// rate: T_(taps-1)(x0 cos(pi v)) over its value at 0, which is 1 / leak. Near 1 the argument is
/// stored as its difference from 1.
double chebyshev(double v, std::uint64_t taps, double leak) {
  const double order = static_cast<double>(taps - 1), lobe = std::acosh(1 / leak);
  const double above = 2 * std::pow(std::sinh(lobe / (2 * order)), 2);  // x0 - 1
  v -= std::round(v);  // the order is even, so the values at -x and x are equal
  const double half = std::sin(pi * v / 2);
  const double beyond = above - (1 + above) * 2 * half * half;
  if (beyond >= 0) return leak * std::cosh(order * 2 * std::asinh(std::sqrt(beyond / 2)));
  return leak * std::cos(order * 2 * std::asin(std::sqrt(-beyond / 2)));
}

/// Returns the standard deviation in samples, for which the ends of the window are at `leak` times
/// its centre.
double deviation(std::uint64_t taps, double leak) {
  return static_cast<double>(taps) / 2 / std::sqrt(2 * std::log(1 / leak));
}

/// Returns the transform of the window before it is made flat, j frequencies from its centre; 1 at
/// 0.
double lobe(const FlatWindow& window, double j) {
  const double v = j / static_cast<double>(window.length);
  if (window.shape == FlatShape::dolph_chebyshev)
    return chebyshev(v, window.support(), window.leak);
  const double x = 2 * pi * v * deviation(window.support(), window.leak);
  return std::exp(-x * x / 2);
}

/// Returns the taps of the window before it is made flat, at -(support-1)/2, ..., up to a factor.
std::vector<double> narrow_taps(const FlatWindow& window) {
  const std::uint64_t count = window.support(), half = count / 2;
  std::vector<double> taps(count);
  if (window.shape == FlatShape::gaussian) {
    const double sigma = deviation(count, window.leak);
    for (std::uint64_t i = 0; i < count; ++i) {
      const double x = (static_cast<double>(i) - static_cast<double>(half)) / sigma;
      taps[i] = std::exp(-x * x / 2);
    }
    return taps;
  }
  // At least as many samples of the transform as taps determine the taps.
  const std::uint64_t points = std::bit_ceil(count);
  std::vector<std::complex<double>> samples(points);
  for (std::uint64_t i = 0; i < points; ++i)
    samples[i] =
        chebyshev(static_cast<double>(i) / static_cast<double>(points), count, window.leak);
  const auto values = base::dft(samples);
  for (std::uint64_t i = 0; i < count; ++i) taps[i] = values[(i + points - half) % points].real();
  return taps;
}

/// Returns sin(pi width t / n) / sin(pi t / n), the transform of a box of `width` frequencies.
double box(std::uint64_t width, double t, double n) {
  if (t == 0) return static_cast<double>(width);
  return std::sin(pi * static_cast<double>(width) * t / n) / std::sin(pi * t / n);
}

}  // namespace

std::uint64_t FlatWindow::support() const {
  const double lobes = 2 * static_cast<double>(buckets) / pi;  // half a bucket to either side
  const double taps =
      shape == FlatShape::gaussian ? 2 * lobes * std::log(1 / leak) : lobes * std::acosh(1 / leak);
  return static_cast<std::uint64_t>(taps) | 1;
}

unsigned FlatWindow::rounds() const {
  return static_cast<unsigned>(base::ceil_divide(support() + 1, buckets));
}

std::uint64_t FlatWindow::half_box() const {
  const double bucket = static_cast<double>(length) / static_cast<double>(buckets);
  return static_cast<std::uint64_t>(std::lround(kBox * bucket / 2));
}

std::vector<double> FlatWindow::taps() const {
  const auto narrow = narrow_taps(*this);
  const std::uint64_t width = 2 * half_box() + 1,
                      first = rounds() * buckets / 2 - narrow.size() / 2;
  const auto n = static_cast<double>(length);
  std::vector<double> taps(rounds() * buckets);
  double sum = 0;
  for (std::uint64_t i = 0; i < narrow.size(); ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(narrow.size() / 2);
    sum += taps[first + i] = narrow[i] * box(width, t, n);
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

std::vector<double> FlatWindow::responses(std::uint64_t reach) const {
  const std::uint64_t half = half_box();
  // Prefix sums of the lobe's values, starting at -reach-half; the box is a difference of two.
  std::vector<double> sums(2 * (reach + half) + 2);
  for (std::uint64_t i = 0; i + 1 < sums.size(); ++i)
    sums[i + 1] = sums[i] + lobe(*this, static_cast<double>(i) - static_cast<double>(reach + half));
  const auto around = [&](std::uint64_t d) {
    return sums[reach + 2 * half + 1 - d] - sums[reach - d];
  };
  std::vector<double> response(reach + 1);
  for (std::uint64_t d = 0; d <= reach; ++d) response[d] = around(d) / around(0);
  return response;
}

}  // namespace imago::sparse
