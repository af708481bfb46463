// This file computes roots of unity, correctly rounded to double for tables.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace imago::base {

/// Returns exp(-2 pi i phase / order), for order < 2^60. The octant is split off in exact integers
/// first. Both parts are the double nearest to the true value (computed in long double).
std::complex<double> root_of_unity(std::uint64_t phase, std::uint64_t order);

/// Computes many roots of one order, about ten times as fast. Each root is the product of two of
/// about 2 sqrt(order) cached roots in long double. Both parts are within 0.505 ulp of the true
/// value.
class Roots {
 public:
  explicit Roots(std::uint64_t order);  ///< order < 2^60
  /// Returns exp(-2 pi i phase / order).
  std::complex<double> operator()(std::uint64_t phase) const;

 private:
  std::uint64_t order_;
  unsigned bits_;  ///< number of low bits of an angle, the index in fine_
  std::vector<std::complex<long double>> coarse_, fine_;
};

}  // namespace imago::base
