// This file computes the prolate spheroidal wave function of order 0.
#include "nufft/prolate.hpp"

#include <cmath>
#include <cstddef>

namespace imago::nufft {
namespace {

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
  scale_ = 1 / sum(0);
}

long double Prolate::sum(long double x) const {
  // Normalized polynomials P[k] sqrt(k + 1/2), by the recurrence of P.
  long double before = 1, own = x, total = coefficients_[0] * std::sqrt(0.5L);
  for (std::size_t k = 2; k < 2 * coefficients_.size(); ++k) {
    const auto n = static_cast<long double>(k);
    const long double next = ((2 * n - 1) * x * own - (n - 1) * before) / n;
    before = own, own = next;
    if (k % 2 == 0) total += coefficients_[k / 2] * std::sqrt(n + 0.5L) * own;
  }
  return total;
}

long double Prolate::operator()(long double x) const { return scale_ * sum(x); }

long double Prolate::transform(long double a) const {
  // The integral at 0 is that of the polynomial 0.
  const long double at_zero = scale_ * coefficients_[0] * std::sqrt(2.0L);
  return c_ == 0 ? at_zero : at_zero * (*this)(a / c_);
}

}  // namespace imago::nufft
