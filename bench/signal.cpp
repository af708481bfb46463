// This file implements the benchmark's signal.
#include "bench/signal.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "catalogue/random.hpp"
#include "catalogue/stored.hpp"

namespace imago::bench {
namespace {

// Initial size of the values, and the number of powers of two that they may grow. Products with the
// smallest twiddle of 2^26 points stay above the subnormals (2^-126); sums stay below 2^127. Halves
// are only stored. They start at a size at which they are 2^-24 apart, and their sums stay below
// 2^16, for two calls with 2^26 points.
struct Range {
  int start, growth;
};
constexpr Range kHalfRange{-13, 26};
constexpr Range kSingleRange{-90, 205};
constexpr Range kDoubleRange{-60, 170};  // also of pairs of f32

Range range_of(const Case& problem) {
  if (problem.precision == Precision::f16) return kHalfRange;
  return problem.precision == Precision::f64 ? kDoubleRange : kSingleRange;
}

template <Precision precision>
void fill(Signal& signal, int exponent) {
  using Stored = catalogue::Stored<precision>;
  typename Stored::Word word;
  const std::size_t count = signal.data.size() / sizeof word;
  const double unit = std::ldexp(1.0, exponent);
  catalogue::Random random(count);
  for (std::size_t i = 0; i < count; ++i) {
    word = Stored::pack(random.uniform() * unit);
    std::memcpy(signal.data.data() + i * sizeof word, &word, sizeof word);
  }
}

}  // namespace

Signal make_signal(const Case& problem) {
  Signal signal;
  signal.data.resize(signal_bytes(problem));
  const int exponent = in_place(problem) ? range_of(problem).start : 0;
  catalogue::with_precision(problem.precision,
                            [&]<Precision precision>() { fill<precision>(signal, exponent); });
  return signal;
}

std::size_t finite_calls(const Case& problem) {
  const auto points = static_cast<double>(problem.points());
  if (!in_place(problem) || points == 1) return std::numeric_limits<std::size_t>::max();
  const double per_call = std::log2(points) / 2;
  return static_cast<std::size_t>(range_of(problem).growth / per_call);
}

}  // namespace imago::bench
