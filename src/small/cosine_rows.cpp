// This file implements cosine and sine rows by rows of other kinds.
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "small/row_parts.hpp"

namespace imago::small {
namespace {

/// DST-II and DST-III by the cosine transform of the same type: signs alternate on one side, and
/// the order is reversed on the other.
template <class Real>
class SinesByCosines final : public Row<Real> {
 public:
  static RowPtr<Real> make(RowRequest request) {
    const bool second = request.kind == Kind::dst2;
    request.kind = second ? Kind::dct2 : request.kind == Kind::dst3 ? Kind::dct3 : Kind::dct4;
    auto row = Row<Real>::make(request);
    return row ? RowPtr<Real>(new SinesByCosines(request.length, second, std::move(row))) : nullptr;
  }

  void run(const Real* from, Real* to, Real* x) const override {
    for (std::size_t j = 0; j < n_; ++j)
      x[j] = second_ ? (j % 2 == 0 ? from[j] : -from[j]) : from[n_ - 1 - j];
    row_->run(x, x, x + rounded(n_));
    for (std::size_t k = 0; k < n_; ++k)
      to[k] = second_ ? x[n_ - 1 - k] : k % 2 == 0 ? x[k] : -x[k];
  }
  std::size_t between_numbers() const override { return rounded(n_) + row_->between_numbers(); }
  double cost() const override { return row_->cost() + kScalar * 2 * static_cast<double>(n_); }

 private:
  SinesByCosines(std::size_t n, bool second, RowPtr<Real> row)
      : n_(n), second_(second), row_(std::move(row)) {}

  const std::size_t n_;
  const bool second_;
  const RowPtr<Real> row_;
};

/// DCT-I and DST-I by the real transform of the even or odd extension.
template <class Real>
class Extended final : public Row<Real> {
 public:
  static RowPtr<Real> make(const RowRequest& request) {
    const bool sine = request.kind == Kind::dst1;
    if (!sine && request.length < 2) return nullptr;
    const std::size_t extended = sine ? 2 * (request.length + 1) : 2 * (request.length - 1);
    auto row = Row<Real>::make({.kind = Kind::real, .length = extended, .scale = request.scale});
    return row ? RowPtr<Real>(new Extended(request, extended, std::move(row))) : nullptr;
  }

  void run(const Real* from, Real* to, Real* x) const override {
    std::fill(x, x + extended_, Real{0});
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t at = sine_ ? j + 1 : j;
      const Real value = is_end(j) ? from[j] * ends_ : from[j];
      x[at] = value;
      if (sine_ || (j > 0 && j + 1 < n_)) x[extended_ - at] = sine_ ? -value : value;
    }
    Real* const spectrum = x + rounded(extended_);
    row_->run(x, spectrum, spectrum + rounded(extended_ + 2));
    for (std::size_t k = 0; k < n_; ++k)
      to[k] = sine_ ? -spectrum[2 * (k + 1) + 1] : spectrum[2 * k] / (is_end(k) ? ends_ : Real{1});
  }
  std::size_t between_numbers() const override {
    return rounded(extended_) + rounded(extended_ + 2) + row_->between_numbers();
  }
  double cost() const override { return row_->cost() + kScalar * 4 * static_cast<double>(n_); }

 private:
  Extended(const RowRequest& request, std::size_t extended, RowPtr<Real> row)
      : n_(request.length),
        extended_(extended),
        sine_(request.kind == Kind::dst1),
        ends_(static_cast<Real>(request.orthogonal && !sine_ ? std::sqrt(2.0) : 1)),
        row_(std::move(row)) {}
  bool is_end(std::size_t j) const { return !sine_ && (j == 0 || j + 1 == n_); }

  const std::size_t n_, extended_;
  const bool sine_;
  const Real ends_;
  const RowPtr<Real> row_;
};

/// DCT-IV: by a complex transform of half the length if that is even, else of twice the length.
template <class Real>
class FourthCosines final : public Row<Real> {
 public:
  static RowPtr<Real> make(const RowRequest& request) {
    const std::size_t n = request.length, points = n % 2 == 0 ? n / 2 : 2 * n;
    auto row = Row<Real>::make({.length = points});
    return row ? RowPtr<Real>(new FourthCosines(request, points, std::move(row))) : nullptr;
  }

  void run(const Real* from, Real* to, Real* x) const override {
    const bool even = n_ % 2 == 0;
    if (!even) std::fill(x, x + 2 * points_, Real{0});
    for (std::size_t j = 0; j < (even ? points_ : n_); ++j) {
      const Real re = even ? from[2 * j] : from[j], im = even ? from[n_ - 1 - 2 * j] : Real{0};
      multiply(re, im, &before_[2 * j], x + 2 * j);
    }
    row_->run(x, x, x + rounded(2 * points_));
    for (std::size_t k = 0; k < (even ? points_ : n_); ++k) {
      Real y[2];
      multiply(x[2 * k], x[2 * k + 1], &after_[2 * k], y);
      if (even)
        to[2 * k] = y[0], to[n_ - 1 - 2 * k] = -y[1];
      else
        to[k] = y[0];
    }
  }
  std::size_t between_numbers() const override {
    return rounded(2 * points_) + row_->between_numbers();
  }
  double cost() const override { return row_->cost() + kScalar * 4 * static_cast<double>(n_); }

 private:
  FourthCosines(const RowRequest& request, std::size_t points, RowPtr<Real> row)
      : n_(request.length), points_(points), row_(std::move(row)) {
    const bool even = n_ % 2 == 0;
    const auto add = [](std::vector<Real>& to, std::complex<double> value) {
      to.push_back(static_cast<Real>(value.real())), to.push_back(static_cast<Real>(value.imag()));
    };
    for (std::size_t j = 0; j < (even ? points_ : n_); ++j) {
      // exp(-pi i (4j + 1) / 4n), or exp(-pi i j / 2n) before and exp(-pi i (2j + 1) / 4n) after
      add(before_, root(even ? 4 * j + 1 : 2 * j, 8 * n_));
      add(after_, root(even ? 4 * j : 2 * j + 1, 8 * n_) * 2.0 * request.scale);
    }
  }
  static void multiply(Real re, Real im, const Real* by, Real* product) {
    product[0] = re * by[0] - im * by[1], product[1] = re * by[1] + im * by[0];
  }

  const std::size_t n_, points_;
  const RowPtr<Real> row_;
  std::vector<Real> before_, after_;
};

}  // namespace

template <class Real>
RowPtr<Real> row_by_others(const RowRequest& request) {
  switch (request.kind) {
    case Kind::dct1:
    case Kind::dst1:
      return Extended<Real>::make(request);
    case Kind::dct4:
      return FourthCosines<Real>::make(request);
    case Kind::dst2:
    case Kind::dst3:
    case Kind::dst4:
      return SinesByCosines<Real>::make(request);
    default:
      return nullptr;
  }
}
template RowPtr<float> row_by_others(const RowRequest&);
template RowPtr<double> row_by_others(const RowRequest&);

}  // namespace imago::small
