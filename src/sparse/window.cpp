// This file holds the window of the phase method.
#include "sparse/window.hpp"

#include <cmath>
#include <numbers>

namespace imago::sparse {
namespace {

/// Computes the modified Bessel function I0 by its power series, whose terms are all positive.
double bessel_i0(double x) {
  const double square = x * x / 4;
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= square / (static_cast<double>(k) * k);
    sum += term;
  }
  return sum;
}

// The first side lobe lies near 4.49 from the main lobe's edge, where |sin(s) / s| is 0.217 (the
// first extremum of the cardinal sine).
constexpr double kSideLobe = 0.25;

}  // namespace

unsigned Window::neighbours() const {
  return static_cast<unsigned>(std::ceil(beta / (std::numbers::pi * width) + 0.5));
}

double Window::leak() const { return kSideLobe * beta / std::sinh(beta); }

double Window::response(double e) const {
  const double u = std::numbers::pi * width * e, square = beta * beta - u * u;
  const double s = std::sqrt(std::abs(square));
  if (s < 1e-6) return beta / std::sinh(beta);
  return (square > 0 ? std::sinh(s) : std::sin(s)) / s * beta / std::sinh(beta);
}

std::vector<double> Window::taps(std::uint64_t buckets) const {
  const std::uint64_t length = width * buckets;
  // The integral of I0(beta sqrt(1 - x^2)) over [-1, 1] is 2 sinh(beta) / beta.
  const double scale = beta / std::sinh(beta) / static_cast<double>(length);
  std::vector<double> taps(length);
  for (std::uint64_t i = 0; i < length; ++i) {
    const double x = 2.0 * static_cast<double>(i) / static_cast<double>(length) - 1;
    taps[i] = scale * bessel_i0(beta * std::sqrt(1 - x * x));
  }
  return taps;
}

}  // namespace imago::sparse
