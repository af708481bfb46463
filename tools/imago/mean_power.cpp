// This file implements the mean of powers.
#include "mean_power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imago::command {

template <class Real>
void MeanPower::add_any(std::span<const Real> powers, int exponent) {
  unsigned lost = 0;  // the compiler makes vectors of this loop
  for (const Real power : powers) lost |= power <= std::numeric_limits<Real>::max() ? 0 : 1;
  if (lost) {
    ++lost_;
    return;
  }
  if (frames_++ == 0) exponent_ = exponent;
  if (exponent > exponent_) {
    const int change = 2 * (exponent_ - exponent);
    for (double& sum : sums_) sum = std::ldexp(sum, change);
    exponent_ = exponent;
  }
  const double unit = std::ldexp(1, 2 * (exponent - exponent_));
  std::transform(sums_.begin(), sums_.end(), powers.begin(), sums_.begin(),
                 [&](double sum, Real power) { return sum + unit * static_cast<double>(power); });
}
template void MeanPower::add_any(std::span<const float>, int);
template void MeanPower::add_any(std::span<const double>, int);

std::vector<double> MeanPower::amplitudes() const {
  std::vector<double> roots(sums_.size());
  std::transform(sums_.begin(), sums_.end(), roots.begin(), [&](double sum) {
    return std::ldexp(std::sqrt(sum / static_cast<double>(frames_)), exponent_);
  });
  return roots;
}

}  // namespace imago::command
