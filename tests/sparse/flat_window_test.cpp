// This file checks the windows of the voting method: the computed responses must equal the
// responses of the taps.
#include "sparse/flat_window.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "support/catch.hpp"

namespace imago {
namespace {

using sparse::FlatShape;
using sparse::FlatWindow;

/// Returns the response of the taps, d frequencies from the centre.
std::complex<double> measured(const FlatWindow& window, const std::vector<double>& taps, double d) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(taps.size() / 2);
    sum += taps[i] *
           std::polar(1.0, 2 * std::numbers::pi * t * d / static_cast<double>(window.length));
  }
  return sum;
}

TEST_CASE("The responses of flat windows are those of their taps", "[sparse]") {
  for (const auto shape : {FlatShape::dolph_chebyshev, FlatShape::gaussian}) {
    for (const double leak : {1e-6, 1e-12}) {
      const FlatWindow window{shape, leak, 1 << 14, 256};
      const auto taps = window.taps(), responses = window.responses(window.reach());
      REQUIRE(taps.size() == window.rounds() * window.buckets);
      REQUIRE(responses.size() == 3 * 64 / 2 + 1);
      for (std::uint64_t d = 0; d < responses.size(); d += 5) {
        const auto value = measured(window, taps, static_cast<double>(d));
        CHECK(std::abs(value - responses[d]) < leak + 1e-13);
      }
    }
  }
}

TEST_CASE("Flat windows are flat over a bucket and vanish a bucket further on", "[sparse]") {
  for (const auto shape : {FlatShape::dolph_chebyshev, FlatShape::gaussian}) {
    const FlatWindow window{shape, 1e-8, 1 << 16, 256};
    const std::uint64_t bucket = window.length / window.buckets;
    CHECK(window.response(0) == test::Approx(1));
    CHECK(window.response(bucket / 4) > 0.9);
    CHECK(window.response(bucket / 2) > 0.5);
    for (std::uint64_t d = bucket * 13 / 10; d < 8 * bucket; d += 3)
      CHECK(std::abs(window.response(d)) < 2 * window.leak);
  }
}

TEST_CASE("A Gaussian window of the same leak is longer", "[sparse]") {
  const FlatWindow chebyshev{FlatShape::dolph_chebyshev, 1e-8, 1 << 24, 32768};
  FlatWindow gaussian = chebyshev;
  gaussian.shape = FlatShape::gaussian;
  // 2/pi acosh(10^8) and 4/pi ln(10^8) periods.
  CHECK(chebyshev.rounds() == 13);
  CHECK(gaussian.rounds() == 24);
}

}  // namespace
}  // namespace imago
