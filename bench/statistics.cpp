// This file implements the benchmark's statistics.
#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace imago::bench {
namespace {

double sorted_quantile(std::span<const double> sorted, double fraction) {
  if (sorted.empty()) return 0;
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

double quantile(std::span<const double> values, double fraction) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, fraction);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double spread(std::span<const double> values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

Interval median_interval(std::span<const double> values, double confidence, std::size_t resamples,
                         std::uint64_t seed) {
  if (values.empty()) return {};
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  std::vector<double> medians(resamples), draw(values.size());
  for (double& resampled : medians) {
    for (double& value : draw) value = values[pick(random)];
    std::sort(draw.begin(), draw.end());
    resampled = sorted_quantile(draw, 0.5);
  }
  std::sort(medians.begin(), medians.end());
  const double tail = (1 - confidence) / 2;
  return {median(values), sorted_quantile(medians, tail), sorted_quantile(medians, 1 - tail)};
}

std::vector<double> pair_ratios(std::span<const double> top, std::span<const double> bottom) {
  std::vector<double> ratios(std::min(top.size(), bottom.size()));
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = top[i] / bottom[i];
  return ratios;
}

}  // namespace imago::bench
