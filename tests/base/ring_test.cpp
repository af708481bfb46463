// This file tests the arithmetic modulo 2^61 - 1.
#include "base/ring.hpp"

#include <cmath>
#include <cstdint>
#include <random>

#include "base/integers.hpp"
#include "base/roots.hpp"
#include "support/catch.hpp"

namespace imago::base::m61 {
namespace {

constexpr Complex kOne{1, 0}, kMinusI{0, kModulus - 1};

}  // namespace

TEST_CASE("Residues have sums, differences and products", "[base][ring]") {
  std::mt19937_64 random(1);
  std::uint64_t edges[] = {
      0, 1, 2, kModulus - 1, kModulus - 2, kModulus / 2, std::uint64_t{1} << 32};
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t a = i < 49 ? edges[i / 7] : random() % kModulus,
                        b = i < 49 ? edges[i % 7] : random() % kModulus;
    REQUIRE(product(a, b) == multiply_modulo(a, b, kModulus));
    REQUIRE(sum(a, b) == (a + b) % kModulus);
    REQUIRE(sum(difference(a, b), b) == a);
  }
}

TEST_CASE("Roots of unity of a ring have their order", "[base][ring]") {
  for (const std::uint64_t order : {1ull, 2ull, 4ull, 8ull, 1024ull, 1ull << 40, 1ull << 61}) {
    CAPTURE(order);
    const Complex root = root_of_unity(1, order);
    CHECK(product(root, root_of_unity(order - 1, order)) == kOne);
    // Their norm is 1, so that a conjugate is the inverse.
    CHECK(product(root, {root.re, difference(0, root.im)}) == kOne);
    if (order >= 4) CHECK(root_of_unity(order / 4, order) == kMinusI);
    if (order >= 2) CHECK(root_of_unity(order / 2, order) == Complex{kModulus - 1, 0});
  }
  const Roots roots(256);
  for (std::uint64_t phase = 0; phase < 600; ++phase)
    REQUIRE(roots(phase) == root_of_unity(phase, 256));
}

TEST_CASE("Constants of kernels become residues", "[base][ring]") {
  CHECK(of_constant(0) == 0);
  CHECK(of_constant(3) == 3);
  CHECK(of_constant(-1) == kModulus - 1);
  CHECK(product(of_constant(0.125), 8) == 1);
  CHECK(product(of_constant(std::ldexp(1, -40)), std::uint64_t{1} << 40) == 1);
  for (std::uint64_t phase = 0; phase < 64; ++phase) {
    const auto number = base::root_of_unity(phase, 64);
    const Complex root = root_of_unity(phase, 64);
    CHECK(of_constant(number.real()) == root.re);
    CHECK(of_constant(number.imag()) == root.im);
  }
  CHECK_THROWS(of_constant(0.7));
  CHECK_THROWS(of_constant(std::cos(1.0)));
}

}  // namespace imago::base::m61
