// This file tests the checked integer arithmetic.
#include "base/integers.hpp"

#include <limits>

#include "support/catch.hpp"

using namespace imago::base;

namespace {
constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
}

TEST_CASE("products and sums that overflow 64 bits have no value") {
  CHECK(checked_multiply(0, kMost) == 0u);
  CHECK(checked_multiply(1, kMost) == kMost);
  CHECK(checked_multiply(1ull << 32, 1ull << 31) == 1ull << 63);
  CHECK_FALSE(checked_multiply(1ull << 32, 1ull << 32));
  CHECK_FALSE(checked_multiply(kMost, 2));
  CHECK(checked_add(kMost - 1, 1) == kMost);
  CHECK_FALSE(checked_add(kMost, 1));
}

TEST_CASE("prime factors are prime, ascending and multiply to the number") {
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    std::uint64_t product = 1, before = 2;
    for (const auto p : prime_factors(n)) {
      CHECK(p >= before);
      for (std::uint64_t d = 2; d * d <= p; ++d) REQUIRE(p % d != 0);
      product *= p;
      before = p;
    }
    REQUIRE(product == n);
    REQUIRE(largest_prime_factor(n) == (n == 1 ? 1 : prime_factors(n).back()));
  }
}

TEST_CASE("prime factors of large numbers") {
  CHECK(prime_factors(4294967291u) == std::vector<std::uint64_t>{4294967291u});
  CHECK(prime_factors(65537ull * 65539ull) == std::vector<std::uint64_t>{65537, 65539});
  CHECK(prime_factors(1ull << 63) == std::vector<std::uint64_t>(63, 2));
}

TEST_CASE("primes are recognized quickly") {
  for (std::uint64_t n = 0; n <= 5000; ++n)
    REQUIRE(is_prime(n) == (n > 1 && prime_factors(n).size() == 1));
  for (const std::uint64_t n : {4294967291ull, 2305843009213693951ull, 18446744073709551557ull})
    CHECK(is_prime(n));
  // Products of two primes, of equal primes, a Carmichael number, strong pseudoprimes to 2, to the
  // primes up to 7 and to those up to 31, and products that overflow 64 bits in careless code.
  const std::vector<std::uint64_t> others{4294967291ull * 4294967279ull,
                                          4294967291ull * 4294967291ull,
                                          561,
                                          2047,
                                          3215031751,
                                          3825123056546413051,
                                          kMost,
                                          kMost - 59};
  for (const std::uint64_t n : others) CHECK_FALSE(is_prime(n));
}

TEST_CASE("division rounds up, and powers of two are recognized") {
  CHECK(ceil_divide(0, 3) == 0);
  CHECK(ceil_divide(6, 3) == 2);
  CHECK(ceil_divide(7, 3) == 3);
  CHECK_FALSE(is_power_of_two(0));
  CHECK(is_power_of_two(1));
  CHECK(is_power_of_two(1ull << 63));
  CHECK_FALSE(is_power_of_two(6));
}

TEST_CASE("products and powers modulo a number") {
  CHECK(multiply_modulo(kMost, kMost, kMost - 1) == 1);
  CHECK(multiply_modulo(1ull << 62, 6, 1000003) == (1ull << 62) % 1000003 * 6 % 1000003);
  CHECK(power_modulo(3, 0, 7) == 1);
  CHECK(power_modulo(3, 0, 1) == 0);
  CHECK(power_modulo(2, 62, kMost) == 1ull << 62);
  for (const std::uint64_t p : {2ull, 3ull, 17ull, 65537ull, 4294967291ull})
    CHECK(power_modulo(p - 1 == 1 ? 1 : 2, p - 1, p) == 1);  // Fermat
}

TEST_CASE("the powers of a primitive root are all residues but zero") {
  for (std::uint64_t p = 2; p < 3000; ++p) {
    if (!is_prime(p)) continue;
    const std::uint64_t g = primitive_root(p);
    std::vector<bool> seen(p, false);
    std::uint64_t power = 1;
    for (std::uint64_t i = 0; i + 1 < p; ++i, power = power * g % p) {
      REQUIRE(power != 0);
      REQUIRE_FALSE(seen[power]);
      seen[power] = true;
    }
    REQUIRE(power == 1);
  }
  CHECK(primitive_root(65537) == 3);
  CHECK(primitive_root(999983) == 5);
  CHECK_FALSE(is_prime(1));
  CHECK_FALSE(is_prime(9973ull * 13));
}
