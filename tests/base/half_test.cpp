// This file tests the conversion to and from half precision against its definition: every
// half-precision number, and values between all neighbours.
#include "base/half.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"

using imago::base::from_half;
using imago::base::to_half;

namespace {
constexpr std::uint16_t kInfinite = 0x7c00, kSign = 0x8000;
}

TEST_CASE("halves have the values of IEEE 754") {
  CHECK(from_half(0x0000) == 0);
  CHECK(from_half(0x0001) == 0x1p-24f);
  CHECK(from_half(0x03ff) == 0x3ffp-24f);
  CHECK(from_half(0x0400) == 0x1p-14f);
  CHECK(from_half(0x3c00) == 1);
  CHECK(from_half(0x3555) == 0x555p-12f);
  CHECK(from_half(0xc000) == -2);
  CHECK(from_half(0x7bff) == 65504);
  CHECK(from_half(0xfc00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(from_half(0x7d01)));
}

TEST_CASE("every half is kept") {
  unsigned lost = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = from_half(half);
    lost += std::isnan(value) ? !std::isnan(from_half(to_half(value))) : to_half(value) != half;
  }
  CHECK(lost == 0);
}

TEST_CASE("between two halves the nearest is taken, in the middle the even one") {
  unsigned wrong = 0;
  for (std::uint16_t low = 0; low + 1 < kInfinite; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double middle = (double{from_half(low)} + from_half(high)) / 2;
    const std::uint16_t even = low % 2 == 0 ? low : high;
    for (const std::uint16_t sign : {std::uint16_t{0}, kSign}) {
      const double side = sign == 0 ? 1 : -1;
      wrong += to_half(side * middle) != (even | sign);
      wrong += to_half(side * std::nextafter(middle, 0.0)) != (low | sign);
      wrong += to_half(side * std::nextafter(middle, 1e6)) != (high | sign);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("numbers too large for a half become infinite, numbers too small become zero") {
  CHECK(to_half(65519.999) == 0x7bff);
  CHECK(to_half(65520) == kInfinite);
  CHECK(to_half(-1e30) == (kInfinite | kSign));
  CHECK(to_half(std::numeric_limits<double>::infinity()) == kInfinite);
  CHECK(to_half(0x1p-25) == 0);
  CHECK(to_half(std::nextafter(0x1p-25, 1.0)) == 1);
  CHECK(to_half(-0.0) == kSign);
}
