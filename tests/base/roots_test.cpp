// This file tests the roots of unity against quadruple precision.
#include "base/roots.hpp"

#include <cmath>

#include "catalogue/random.hpp"
#include "support/catch.hpp"
#include "support/quad.hpp"

using imago::base::root_of_unity;

namespace {

/// Returns |value - exact| in units of the last place of value.
double ulps(double value, imago::test::Quad exact) {
  const double ulp = std::nextafter(std::abs(value), 2.0) - std::abs(value);
  return static_cast<double>(imago::test::absolute(value - exact) / ulp);
}

/// Checks an error of half an ulp, and a little more for the error of long double at a tie.
void check_root(std::uint64_t phase, std::uint64_t order) {
  CAPTURE(phase, order);
  const auto root = root_of_unity(phase, order);
  const auto exact = imago::test::quad_root(phase, order);
  REQUIRE(ulps(root.real(), exact.re) < 0.501);
  REQUIRE(ulps(root.imag(), exact.im) < 0.501);
}

}  // namespace

TEST_CASE("roots of small orders are the nearest doubles") {
  for (std::uint64_t order = 1; order <= 128; ++order) {
    for (std::uint64_t phase = 1; phase < order; ++phase) {
      if (4 * phase % order != 0) check_root(phase, order);
    }
  }
}

TEST_CASE("roots of random large orders are the nearest doubles") {
  imago::catalogue::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t order = 5 + random.below((1ull << (4 + i % 56)) - 5);
    const std::uint64_t phase = random.below(order);
    if (4 * phase % order != 0) check_root(phase, order);
  }
}

TEST_CASE("quarter turns are exact, and a phase counts modulo the order") {
  for (const std::uint64_t order : {4ull, 12ull, 1ull << 40}) {
    CHECK(root_of_unity(0, order) == std::complex<double>(1, 0));
    CHECK(root_of_unity(order / 4, order) == std::complex<double>(0, -1));
    CHECK(root_of_unity(order / 2, order) == std::complex<double>(-1, 0));
    CHECK(root_of_unity(order / 4 * 3, order) == std::complex<double>(0, 1));
    CHECK(root_of_unity(order + 1, order) == root_of_unity(1, order));
  }
}

TEST_CASE("roots from two tables are as good as the nearest doubles") {
  for (const std::uint64_t order :
       {1ull, 2ull, 3ull, 5ull, 8ull, 64ull, 97ull, 1999966ull, 1ull << 21}) {
    const imago::base::Roots roots(order);
    imago::catalogue::Random random(order);
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t phase = random.below(2 * order);
      const auto root = roots(phase);
      if (4 * phase % order == 0) {
        REQUIRE(root == root_of_unity(phase, order));
        continue;
      }
      CAPTURE(phase, order);
      const auto exact = imago::test::quad_root(phase % order, order);
      REQUIRE(ulps(root.real(), exact.re) < 0.505);
      REQUIRE(ulps(root.imag(), exact.im) < 0.505);
    }
  }
}
