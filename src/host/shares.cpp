// This file implements the division of a batch.
#include "host/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace imago::host {
namespace {

/// Devices of a kind are measured with such differences.
constexpr double kNoise = 0.05;

}  // namespace

std::vector<std::size_t> shares(std::size_t batch, std::vector<double> rates) {
  const double most = *std::max_element(rates.begin(), rates.end());
  for (double& rate : rates) {
    if (rate > (1 - kNoise) * most) rate = most;
  }
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
  std::vector<std::size_t> found;
  double before = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    before += rates[i];
    const auto end =
        i + 1 == rates.size()
            ? batch
            : static_cast<std::size_t>(std::llround(static_cast<double>(batch) * before / all));
    found.push_back(end - begin);
    begin = end;
  }
  return found;
}

}  // namespace imago::host
