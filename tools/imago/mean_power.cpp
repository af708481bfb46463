// This file implements the mean of powers.
#include "mean_power.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace imago::command {

void MeanPower::add(std::span<const float> powers) {
  // The sum of powers, which are not negative, is finite only if all of them are.
  double sum = 0;
  for (const float power : powers) sum += power;
  if (!std::isfinite(sum)) {
    ++lost_;
    return;
  }
  ++frames_;
  std::transform(sums_.begin(), sums_.end(), powers.begin(), sums_.begin(), std::plus<>());
}

std::vector<double> MeanPower::amplitudes() const {
  std::vector<double> roots(sums_.size());
  std::transform(sums_.begin(), sums_.end(), roots.begin(),
                 [&](double sum) { return std::sqrt(sum / static_cast<double>(frames_)); });
  return roots;
}

}  // namespace imago::command
