// This file holds the benchmark's statistics: medians, and the bootstrap interval of a median. All
// are pure functions; the bootstrap draws from a generator of a fixed seed, so a report can be
// recomputed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace imago::bench {

/// Middle value, or the mean of the two middle ones; 0 for none.
double median(std::span<const double> values);
/// Value at `fraction` (0 to 1) of the sorted values, linear between neighbours; 0 for none.
double quantile(std::span<const double> values, double fraction);
/// The interquartile range over the median.
double spread(std::span<const double> values);
/// exp of the mean of the logarithms; 0 for none.
double geometric_mean(std::span<const double> values);

struct Interval {
  double value = 0, low = 0, high = 0;
};
/// The median with its percentile bootstrap interval (Efron and Tibshirani, An Introduction to the
/// Bootstrap, section 13.3).
Interval median_interval(std::span<const double> values, double confidence = 0.95,
                         std::size_t resamples = 2000, std::uint64_t seed = 1);
/// top[i] / bottom[i]: what was measured side by side is divided before anything is averaged, so
/// that a slow moment of the machine cancels.
std::vector<double> pair_ratios(std::span<const double> top, std::span<const double> bottom);

}  // namespace imago::bench
