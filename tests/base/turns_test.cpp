// This file checks exact angles against roots of unity of integer phases.
#include "base/turns.hpp"

#include <cmath>
#include <cstdint>

#include "base/integers.hpp"
#include "base/roots.hpp"
#include "support/catch.hpp"

using namespace imago::base;

namespace {

constexpr double kLast = 0x1p-52;  // a unit in the last place of 1

double apart(std::complex<double> a, std::complex<double> b) { return std::abs(a - b); }

/// Returns a modulo n, at least 0.
std::uint64_t modulo(std::int64_t a, std::int64_t n) {
  return static_cast<std::uint64_t>((a % n + n) % n);
}

}  // namespace

TEST_CASE("Multiples of an angle are as exact as the angle") {
  for (const std::int64_t a : {1, 2, -1, -5, 11, 7000001}) {
    for (const std::int64_t rate : {1, 3, 7, 48000, 1000003}) {
      const Turns angle = Turns::quotient(static_cast<double>(a), static_cast<double>(rate));
      for (const std::uint64_t times : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000},
                                        std::uint64_t{1} << 40, std::uint64_t{987654321987}}) {
        const auto order = static_cast<std::uint64_t>(rate);
        const auto phase = multiply_modulo(modulo(a, rate), times % order, order);
        CAPTURE(a, rate, times);
        CHECK(apart((angle * times).root(), root_of_unity(phase, order)) <= kLast);
      }
    }
  }
}

TEST_CASE("Steps between angles are exact, however far these are apart") {
  for (const std::int64_t a : {0, 3, -20}) {
    for (const std::int64_t b : {1, -7, 1000}) {
      for (const std::int64_t count : {1, 2, 10, 123457}) {
        const std::int64_t rate = 9;
        const Turns step = Turns::step(static_cast<double>(a), static_cast<double>(b), 9,
                                       static_cast<std::uint64_t>(count));
        const auto order = static_cast<std::uint64_t>(rate * count);
        for (const std::uint64_t k : {1, 5, 1 << 20}) {
          const auto phase = multiply_modulo(modulo(b - a, rate * count), k * k % order, order);
          CAPTURE(a, b, count, k);
          CHECK(apart((step * k * k).root(), root_of_unity(phase, order)) <= kLast);
        }
      }
    }
  }
}

TEST_CASE("Angles from numbers of very different size") {
  CHECK(Turns::quotient(1e-300, 1).root() == 1.0);
  CHECK(apart((Turns::quotient(0x1p-100, 1) * (std::uint64_t{1} << 50)).root(), 1.0) < 1e-14);
  CHECK(apart((Turns::quotient(0x1p-62, 1) * (std::uint64_t{1} << 60)).root(), {0, -1}) < kLast);
  CHECK(Turns::quotient(0x1p32, 1).root() == 1.0);
  CHECK(apart(Turns::quotient(0x1p31 + 0.25, 1).root(), {0, -1}) < kLast);
  CHECK(apart(Turns::quotient(-0x1p-128, 1).root(), 1.0) < kLast);
  CHECK(apart(Turns(-0.25L).root(), {0, 1}) < kLast);
  CHECK(apart((Turns(3.125L) + Turns(0.125L)).root(), {0, -1}) < kLast);
  CHECK(Turns(-1e-30L).root() == 1.0);
}
