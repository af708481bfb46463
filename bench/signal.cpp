// This file implements the benchmark's signal.
#include "bench/signal.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "bench/half.hpp"

#include "problem/kinds.hpp"

namespace imago::bench {
namespace {

// Where the values start, and over how many powers of two they may grow. Products with the smallest
// twiddle of 2^26 points stay above the subnormals (2^-126, 2^-1022); sums stay below 2^127,
// 2^1023. Halves are only stored: they start where they are 2^-24 apart, and sums stay below 2^16,
// of 2^26 points for two calls.
struct Range {
  int start, growth;
};
constexpr Range kHalfRange{-13, 26};
constexpr Range kSingleRange{-90, 205};
constexpr Range kDoubleRange{-900, 1890};

Range range_of(const Case& problem) {
  if (problem.precision == Precision::f16) return kHalfRange;
  return problem.precision == Precision::f64 ? kDoubleRange : kSingleRange;
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// A number as the engines read it.
template <class Stored>
Stored stored(double value) {
  if constexpr (std::is_same_v<Stored, Half>) {
    return Half{base::to_half(value)};
  } else {
    return static_cast<Stored>(value);
  }
}

template <class Stored>
void fill(Signal& signal, std::size_t count, int exponent) {
  const double unit = std::ldexp(1.0, exponent - 52);  // of 53 random bits with a sign
  std::uint64_t state = count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::int64_t>(next(state)) >> 11;
    const auto value = stored<Stored>(static_cast<double>(bits) * unit);
    std::memcpy(signal.data.data() + i * sizeof value, &value, sizeof value);
  }
}

}  // namespace

Signal make_signal(const Case& problem) {
  Signal signal;
  signal.data.resize(signal_bytes(problem));
  const int exponent = in_place(problem) ? range_of(problem).start : 0;
  const std::size_t count = signal.data.size() / real_bytes(problem);
  if (problem.precision == Precision::f64)
    fill<double>(signal, count, exponent);
  else if (problem.precision == Precision::f16)
    fill<Half>(signal, count, exponent);
  else
    fill<float>(signal, count, exponent);
  return signal;
}

std::size_t finite_calls(const Case& problem) {
  double points = 1;  // of the DFT
  for (const std::size_t length : problem.lengths)
    points *= static_cast<double>(problem::logical_length(problem.kind, length));
  if (!in_place(problem) || points == 1) return std::numeric_limits<std::size_t>::max();
  const double per_call = std::log2(points) / 2;
  return static_cast<std::size_t>(range_of(problem).growth / per_call);
}

}  // namespace imago::bench
