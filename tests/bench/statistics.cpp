// This file tests the benchmark's statistics against values computed by hand and against the
// confidence level of the intervals.
#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/catch.hpp"

using imago::test::Approx;
using namespace imago::bench;

TEST_CASE("median and quantiles of odd, even, single and no values") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 2, 3}) == 2.5);
  CHECK(median(std::vector<double>{7}) == 7);
  CHECK(median(std::vector<double>{}) == 0);
  const std::vector<double> values = {5, 1, 2, 4, 3};
  CHECK(quantile(values, 0) == 1);
  CHECK(quantile(values, 1) == 5);
  CHECK(quantile(values, 0.25) == 2);
  CHECK(quantile(values, 0.1) == Approx(1.4));
}

TEST_CASE("geometric mean") {
  CHECK(geometric_mean(std::vector<double>{1, 4}) == Approx(2));
  CHECK(geometric_mean(std::vector<double>{2, 2, 2}) == Approx(2));
  CHECK(geometric_mean(std::vector<double>{}) == 0);
}

TEST_CASE("ratios are of pairs, not of medians") {
  const std::vector<double> slow = {2, 20, 200}, fast = {1, 10, 100};
  CHECK(pair_ratios(slow, fast) == std::vector<double>{2, 2, 2});
  CHECK(pair_ratios(slow, std::vector<double>{1}) == std::vector<double>{2});
}

TEST_CASE("the bootstrap interval of equal values is a point, and it repeats") {
  const auto point = median_interval(std::vector<double>(9, 1.5));
  CHECK(point.value == 1.5);
  CHECK(point.low == 1.5);
  CHECK(point.high == 1.5);
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 20};
  const auto once = median_interval(values), again = median_interval(values);
  CHECK(once.low == again.low);
  CHECK(once.high == again.high);
  CHECK(once.low < once.value);
  CHECK(once.value < once.high);
  CHECK(once.high < 20);
}

TEST_CASE("the 95 % interval of a skewed median holds the truth about that often") {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> draw(1);
  const double truth = std::log(2.0);
  constexpr int kTrials = 400;
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(25);
    std::generate(values.begin(), values.end(), [&] { return draw(random); });
    const auto interval = median_interval(values, 0.95, 400, static_cast<std::uint64_t>(trial));
    held += interval.low <= truth && truth <= interval.high;
  }
  // A percentile interval of a median of 25 is a little too wide or narrow; a large deviation would
  // be a mistake.
  CHECK(held > 0.90 * kTrials);
  CHECK(held < 0.99 * kTrials);
}

TEST_CASE("a wider confidence gives a wider interval") {
  std::vector<double> values;
  for (int i = 1; i <= 30; ++i) values.push_back(i);
  const auto half = median_interval(values, 0.5), most = median_interval(values, 0.99);
  CHECK(most.low < half.low);
  CHECK(half.high < most.high);
}
