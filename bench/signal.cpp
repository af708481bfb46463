// This file implements the benchmark's signal.
#include "bench/signal.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "problem/kinds.hpp"

namespace imago::bench {
namespace {

// Where the values start, and over how many powers of two they may grow. Products with the smallest
// twiddle of 2^26 points stay above the subnormals (2^-126, 2^-1022); sums stay below 2^127,
// 2^1023.
struct Range {
  int start, growth;
};
constexpr Range kSingleRange{-90, 205};
constexpr Range kDoubleRange{-900, 1890};

Range range_of(const Case& problem) {
  return problem.precision == Precision::f64 ? kDoubleRange : kSingleRange;
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

template <class Real>
void fill(Signal& signal, std::size_t count, int exponent) {
  const double unit = std::ldexp(1.0, exponent - 52);  // of 53 random bits with a sign
  std::uint64_t state = count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::int64_t>(next(state)) >> 11;
    const Real value = static_cast<Real>(static_cast<double>(bits) * unit);
    std::memcpy(signal.data.data() + i * sizeof(Real), &value, sizeof(Real));
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
