// This file computes the prolate spheroidal wave function of order 0.
#pragma once

#include <vector>

namespace imago::nufft {

/// The function of one variable with support [-1, 1] whose Fourier transform has the largest part
/// of its energy in [-c, c] (Slepian and Pollak 1961), scaled to 1 at 0. It is a sum of Legendre
/// polynomials (Xiao, Rokhlin and Yarvin 2001), computed in long double.
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
  std::vector<long double> coefficients_;  ///< factors of the normalized polynomials 0, 2, 4 ..
};

}  // namespace imago::nufft
