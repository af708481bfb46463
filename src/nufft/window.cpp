// This file computes windows, their polynomials and their errors.
#include "nufft/window.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "base/pi.hpp"

namespace imago::nufft {
namespace {

constexpr long double kPi = base::kLongPi;

/// Interpolation by Chebyshev polynomials at the Chebyshev nodes of [-1, 1].
class Interpolation {
 public:
  explicit Interpolation(std::size_t degree) : n_(degree + 1) {
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        const long double angle =
            kPi * static_cast<long double>(2 * i + 1) / static_cast<long double>(2 * n_);
        at_nodes_.push_back(std::cos(static_cast<long double>(k) * angle));
      }
    }
  }

  /// Returns the factors of the polynomials whose sum interpolates `function`.
  template <class Function>
  std::vector<long double> factors(const Function& function) const {
    std::vector<long double> values(n_), factors(n_, 0);
    // A degree of 0 has one node, 0.
    for (std::size_t i = 0; i < n_; ++i) values[i] = function(n_ == 1 ? 0 : at_nodes_[n_ + i]);
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) factors[k] += values[i] * at_nodes_[k * n_ + i];
      factors[k] *= (k == 0 ? 1.0L : 2.0L) / static_cast<long double>(n_);
    }
    return factors;
  }

 private:
  std::size_t n_;
  std::vector<long double> at_nodes_;  ///< value of polynomial k at node i, at k n + i
};

/// Returns a sum of Chebyshev polynomials as factors of the powers of s.
std::vector<long double> as_powers(const std::vector<long double>& factors) {
  const std::size_t n = factors.size();
  std::vector<long double> total(n, 0), before(n, 0), own(n, 0);
  own[0] = 1;
  for (std::size_t k = 0; k < n; ++k) {  // T[k+1] = 2 s T[k] - T[k-1]
    for (std::size_t i = 0; i < n; ++i) total[i] += factors[k] * own[i];
    std::vector<long double> next(n, 0);
    for (std::size_t i = 0; i + 1 < n; ++i) next[i + 1] = (k == 0 ? 1 : 2) * own[i];
    for (std::size_t i = 0; i < n; ++i) next[i] -= before[i];
    before = std::move(own), own = std::move(next);
  }
  return total;
}

/// Returns the place of a point relative to the middle of the window at cell j, in half widths.
long double argument(std::size_t width, std::size_t j, long double s) {
  const auto w = static_cast<long double>(width);
  return 2 * (static_cast<long double>(j) + (1 - s) / 2) / w - 1;
}

/// Solves a symmetric tridiagonal system with positive pivots.
std::vector<long double> solved(std::vector<long double> diagonal,
                                const std::vector<long double>& beside,
                                std::vector<long double> right) {
  const std::size_t n = right.size();
  for (std::size_t i = 1; i < n; ++i) {
    const long double factor = beside[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * beside[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= beside[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

}  // namespace

Prolate::Prolate(long double c) : c_(c) {
  // The differential operator that commutes with the integral, as a matrix of even polynomials.
  constexpr std::size_t kTerms = 80;  // the factors fall below 1e-19 before
  const long double square = c * c;
  std::vector<long double> diagonal, beside;
  for (std::size_t i = 0; i < kTerms; ++i) {
    const auto k = static_cast<long double>(2 * i);
    diagonal.push_back(k * (k + 1) + square * (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)));
    beside.push_back(square * (k + 1) * (k + 2) /
                     ((2 * k + 3) * std::sqrt((2 * k + 1) * (2 * k + 5))));
  }
  // Inverse iteration: the eigenvalue next to the least, which is near c, is about 5 c.
  coefficients_.assign(kTerms, 0);
  coefficients_[0] = 1;
  constexpr int kIterations = 60;
  for (int i = 0; i < kIterations; ++i) {
    coefficients_ = solved(diagonal, beside, std::move(coefficients_));
    long double norm = 0;
    for (const long double x : coefficients_) norm += x * x;
    for (long double& x : coefficients_) x /= std::sqrt(norm);
  }
  for (std::size_t i = 0; i < kTerms; ++i)
    coefficients_[i] *= std::sqrt(static_cast<long double>(2 * i) + 0.5L);
  // Smaller terms are nothing beside the least value, about 1e-17 at the ends of the support.
  constexpr long double kNothing = 1e-42L;
  while (std::abs(coefficients_.back()) < kNothing) coefficients_.pop_back();
  scale_ = 1 / sum(0);
}

long double Prolate::sum(long double x) const {
  long double before = 1, own = x, total = coefficients_[0];
  for (std::size_t k = 2; k < 2 * coefficients_.size(); ++k) {
    const auto n = static_cast<long double>(k);
    const long double next = ((2 * n - 1) * x * own - (n - 1) * before) / n;
    before = own, own = next;
    if (k % 2 == 0) total += coefficients_[k / 2] * own;
  }
  return total;
}

long double Prolate::operator()(long double x) const { return scale_ * sum(x); }

long double Prolate::transform(long double a) const {
  // The integral at 0 is that of the polynomial 0.
  const long double at_zero = 2 * scale_ * coefficients_[0];
  return c_ == 0 ? at_zero : at_zero * (*this)(a / c_);
}

SpreadingWindow::SpreadingWindow(std::size_t width, double upsampling)
    : width_(width),
      upsampling_(upsampling),
      prolate_(kPi * static_cast<long double>(width) * (1 - 1 / (2.0L * upsampling))) {
  fit();
  fit_transform();
  measure();
}

/// The modes' factors are an even function, and smooth.
void SpreadingWindow::fit_transform() {
  constexpr std::size_t kDegree = 30;
  const long double half = static_cast<long double>(width_) / 2, largest = half * kPi / upsampling_;
  transform_ = Interpolation(kDegree).factors([&](long double t) {
    return std::log(half * prolate_.transform(largest * std::sqrt((1 + t) / 2)));
  });
}

void SpreadingWindow::fit() {
  constexpr std::size_t kMostDegree = 24;
  // The polynomials' errors are to be small beside the window's own, which is near its value at the
  // ends of the support.
  const long double wanted = std::max(0.02L * prolate_(1), 2e-17L);
  for (std::size_t degree = width_; degree <= kMostDegree; ++degree) {
    polynomials_.clear();
    const Interpolation interpolation(degree);
    long double worst = 0;
    for (std::size_t j = 0; j < width_; ++j) {
      const auto exact = [&](long double s) { return prolate_(argument(width_, j, s)); };
      const auto factors = as_powers(interpolation.factors(exact));
      polynomials_.emplace_back(factors.begin(), factors.end());
      constexpr int kChecked = 16;
      for (int i = 0; i <= kChecked; ++i) {
        const long double s = 2.0L * i / kChecked - 1;
        long double sum = 0;
        for (std::size_t p = factors.size(); p-- > 0;) sum = sum * s + factors[p];
        worst = std::max(worst, std::abs(sum - exact(s)));
      }
    }
    if (worst <= wanted) return;
  }
}

long double SpreadingWindow::value(std::size_t j, long double s) const {
  long double sum = 0;
  for (std::size_t p = polynomials_[j].size(); p-- > 0;) sum = sum * s + polynomials_[j][p];
  return sum;
}

/// A point alone shows the error of a mode: its cells, transformed and divided by the window's
/// transform, are to be exp(i k x).
void SpreadingWindow::measure() {
  constexpr int kPlaces = 33, kAngles = 24;
  const long double half = static_cast<long double>(width_) / 2;
  const auto factor = [&](long double angle) { return half * prolate_.transform(half * angle); };
  long double gain = 0;
  errors_.resize(kPlaces);
  const auto at = [](int place) { return 2.0L * place / (kPlaces - 1) - 1; };
  std::vector<std::vector<long double>> cells(kPlaces);
  for (int place = 0; place < kPlaces; ++place) {
    for (std::size_t j = 0; j < width_; ++j) cells[place].push_back(value(j, at(place)));
  }
  for (int i = 0; i <= kAngles; ++i) {
    // The angle from one cell to the next; that of the last modes is pi / upsampling.
    const long double angle = kPi / upsampling_ * i / kAngles, own = factor(angle);
    if (i < kAngles) gain += std::pow(factor(0) / own, 2) / kAngles;
    const auto next_cell = std::polar(1.0L, angle);
    for (int place = 0; place < kPlaces; ++place) {
      auto wave = std::polar(1.0L, angle * half * argument(width_, 0, at(place)));
      std::complex<long double> total = 0;
      for (const long double cell : cells[place]) total += cell * wave, wave *= next_cell;
      errors_[place].emplace_back(total / own - 1.0L);
      worst_ = std::max(worst_, std::abs(errors_[place].back()));
    }
  }
  amplification_ = static_cast<double>(std::sqrt(gain));
  worst_amplification_ = static_cast<double>(factor(0) / factor(kPi / upsampling_));
}

/// The errors of the axes add up. Modes without correlations add the squares of what differs from
/// the mean error of all.
double SpreadingWindow::error(std::span<const Axis> axes) const {
  constexpr std::size_t kMostModes = 64;  // evaluated ones
  double worst = 0;
  for (const auto& at_place : errors_) {
    double mean = 0, variance = 0;
    for (const Axis& axis : axes) {
      const std::size_t count = std::min(axis.modes, kMostModes);
      const auto n = static_cast<double>(axis.modes);
      double real = 0, squares = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count),
                     k = std::abs(std::floor(n * share) - std::floor(n / 2)),
                     a = std::min(1.0, 2 * upsampling_ * k / static_cast<double>(axis.cells)),
                     at = a * static_cast<double>(at_place.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(at), at_place.size() - 2);
        const double rest = at - static_cast<double>(below);
        const auto error = at_place[below] * (1 - rest) + at_place[below + 1] * rest;
        real += error.real() / static_cast<double>(count);  // k and -k cancel imaginary parts
        squares += std::norm(error) / static_cast<double>(count);
      }
      mean += real;
      variance += squares - real * real;
    }
    worst = std::max(worst, mean * mean + variance);
  }
  return std::sqrt(worst);
}

double SpreadingWindow::transform(std::int64_t k, std::size_t n) const {
  // Clenshaw's recurrence.
  const long double a = 2 * upsampling_ * static_cast<long double>(k) / static_cast<long double>(n),
                    t = 2 * a * a - 1;
  long double own = 0, after = 0;
  for (std::size_t i = transform_.size() - 1; i > 0; --i) {
    const long double next = transform_[i] + 2 * t * own - after;
    after = own, own = next;
  }
  return static_cast<double>(std::exp(transform_[0] + t * own - after));
}

const SpreadingWindow& window_of(std::size_t width, double upsampling) {
  static std::mutex mutex;
  static std::map<std::pair<std::size_t, double>, SpreadingWindow> windows;
  const std::lock_guard lock(mutex);
  return windows.try_emplace({width, upsampling}, width, upsampling).first->second;
}

}  // namespace imago::nufft
