// This file defines the window (spreading kernel) of nonuniform transforms: the function by which a
// point is spread over cells of the grid.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace imago::nufft {

constexpr std::size_t kLeastWidth = 2, kMostWidth = 16;  ///< in cells

/// An axis: its modes, and the cells of the grid.
struct Axis {
  std::size_t modes = 1, cells = 1;
};

/// The prolate spheroidal wave function of order 0: the function of one variable with support [-1,
/// 1] whose Fourier transform has the largest part of its energy in [-c, c] (Slepian and Pollak
/// 1961), scaled to 1 at 0. It is a sum of Legendre polynomials (Xiao, Rokhlin and Yarvin 2001),
/// computed in long double.
class Prolate {
 public:
  explicit Prolate(long double c);  ///< c from 0 to 60
  /// Returns the value at x, for -1 <= x <= 1.
  long double operator()(long double x) const;
  /// Returns the integral of (*this)(x) cos(a x) over [-1, 1], for |a| <= c. As (*this) is an
  /// eigenfunction of that integral, it is a multiple of (*this)(a / c).
  long double transform(long double a) const;

 private:
  long double sum(long double x) const;

  long double c_, scale_ = 1;
  std::vector<long double> coefficients_;  ///< factors of the Legendre polynomials 0, 2, 4 ..
};

/// A window of `width` cells for grids that are `upsampling` times finer than the modes:
/// a prolate function whose band ends where the first alias of the modes begins. Devices evaluate
/// it by one polynomial for each cell.
class SpreadingWindow {
 public:
  SpreadingWindow(std::size_t width, double upsampling);

  std::size_t width() const { return width_; }
  double upsampling() const { return upsampling_; }
  std::size_t degree() const { return polynomials_.front().size() - 1; }
  /// Polynomials of the cells, from the first to the last: factors of the powers of s, lowest
  /// first. A point lies (1 + s) / 2 cells after the place where its first cell becomes the first,
  /// with -1 <= s <= 1.
  const std::vector<std::vector<double>>& polynomials() const { return polynomials_; }
  /// Returns the factor of mode k by which a grid of n cells differs from the modes: the Fourier
  /// transform of the window. n must be at least the upsampling times 2 |k|.
  double transform(std::int64_t k, std::size_t n) const;
  /// Returns the factors of the Chebyshev polynomials of 2 a^2 - 1 whose sum is the logarithm of
  /// the Fourier transform at a times the largest angle of modes, pi / upsampling. The logarithm
  /// keeps its digits in f32 where the transform is small.
  const std::vector<long double>& transform_series() const { return transform_; }
  /// Returns an upper bound of the error in exact arithmetic, as NufftTransform::tolerance measures
  /// errors, for these modes and grids.
  double error(std::span<const Axis> axes) const;
  /// Returns the error along one axis of the worst mode of a point in the worst place.
  double worst_error() const { return worst_; }
  /// Returns the factor by which rounding errors of the grid grow in the modes, along one axis: the
  /// root mean square over the modes.
  double amplification() const { return amplification_; }
  /// Returns that factor of the last modes, which is the largest.
  double worst_amplification() const { return worst_amplification_; }

 private:
  void fit();
  void fit_transform();
  void measure();
  /// Returns the value of cell j's polynomial.
  long double value(std::size_t j, long double s) const;

  std::size_t width_;
  double upsampling_;
  Prolate prolate_;
  std::vector<std::vector<double>> polynomials_;
  std::vector<long double> transform_;
  /// The errors of modes of a point alone: for each of some places, for angles from 0 to the
  /// largest one.
  std::vector<std::vector<std::complex<double>>> errors_;
  double worst_ = 0, amplification_ = 1, worst_amplification_ = 1;
};

/// Returns the window, which is computed once per process.
const SpreadingWindow& window_of(std::size_t width, double upsampling);

}  // namespace imago::nufft
