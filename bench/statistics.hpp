// This file holds the benchmark's statistics: medians, and the bootstrap interval of a median. All
// functions are pure; the bootstrap uses a generator with a fixed seed, so that a report is
// reproducible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace imago::bench {

/// Returns the middle value, or the mean of the two middle ones; 0 for no values.
double median(std::span<const double> values);
/// Returns the value at `fraction` (0 to 1) of the sorted values, interpolated linearly; 0 for no
/// values.
double quantile(std::span<const double> values, double fraction);
/// Returns the interquartile range over the median.
double spread(std::span<const double> values);
/// Returns exp of the mean of the logarithms; 0 for no values.
double geometric_mean(std::span<const double> values);

struct Interval {
  double value = 0, low = 0, high = 0;
};
/// Returns the median with its percentile bootstrap interval (Efron and Tibshirani, An Introduction
/// to the Bootstrap, section 13.3).
Interval median_interval(std::span<const double> values, double confidence = 0.95,
                         std::size_t resamples = 2000, std::uint64_t seed = 1);
/// Returns top[i] / bottom[i]. Values from the same round are divided before they are averaged, so
/// that a disturbance of the machine cancels.
std::vector<double> pair_ratios(std::span<const double> top, std::span<const double> bottom);

}  // namespace imago::bench
