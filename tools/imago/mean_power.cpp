// This file implements the mean of powers.
#include "mean_power.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace imago::command {

void MeanPower::add(std::span<const float> powers) {
  unsigned lost = 0;  // the compiler makes vectors of this loop
  for (const float power : powers) lost |= power <= std::numeric_limits<float>::max() ? 0 : 1;
  if (lost) {
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
