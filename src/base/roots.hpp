// This file computes roots of unity, correctly rounded to double for tables.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace imago::base {

/// exp(-2 pi i phase / order). The octant is split off in exact integers first; both parts are the
/// double nearest to the true value (long double underneath). order < 2^60.
std::complex<double> root_of_unity(std::uint64_t phase, std::uint64_t order);

/// Many roots of one order, some ten times as fast: each is the product of two of about 2
/// sqrt(order) that are kept in long double. Both parts are within 0.505 ulp of the true value.
class Roots {
 public:
  explicit Roots(std::uint64_t order);  ///< order < 2^60
  /// exp(-2 pi i phase / order).
  std::complex<double> operator()(std::uint64_t phase) const;

 private:
  std::uint64_t order_;
  unsigned bits_;  ///< low bits of an angle, kept in fine_
  std::vector<std::complex<long double>> coarse_, fine_;
};

}  // namespace imago::base
