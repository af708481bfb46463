// This file compares exact convolutions and products of integers with their definition.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <imago/exact.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Integers = std::vector<std::int64_t>;

/// Returns the convolution by its definition; no sum exceeds 64 bits.
Integers defined(const Integers& a, const Integers& b, Wrap wrap) {
  Integers all(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) all[i + j] += a[i] * b[j];
  }
  if (wrap == Wrap::linear) return all;
  Integers wrapped(a.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    wrapped[i % a.size()] += i < a.size() || wrap == Wrap::cyclic ? all[i] : -all[i];
  return wrapped;
}

Integers random_integers(std::size_t count, std::int64_t largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Integers numbers(count);
  for (std::int64_t& x : numbers)
    x = static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(largest) + 1)) -
        largest;
  return numbers;
}

}  // namespace

TEST_CASE("exact convolutions are those of the definition") {
  const std::size_t n = GENERATE(1, 2, 3, 64, 100, 128, 500, 512, 1000, 1024);
  const auto wrap = GENERATE(Wrap::linear, Wrap::cyclic, Wrap::negacyclic);
  CAPTURE(n, static_cast<int>(wrap));
  const std::size_t m = wrap == Wrap::linear ? n / 2 + 1 : n;
  const Integers a = random_integers(n, 20000000, n), b = random_integers(m, 30000000, m + 1);
  CHECK(exact::convolve(a, b, wrap) == defined(a, b, wrap));
}
