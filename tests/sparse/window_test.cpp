// This file checks the phase method's window against a numerical transform of its taps.
#include "sparse/window.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "support/catch.hpp"

namespace imago {
namespace {

/// Returns the response of the taps to a tone e buckets from a bucket's centre.
std::complex<double> transformed(const std::vector<double>& taps, std::uint64_t buckets, double e) {
  std::complex<double> sum;
  const double centre = static_cast<double>(taps.size()) / 2;
  for (std::size_t i = 0; i < taps.size(); ++i)
    sum += taps[i] * std::polar(1.0, 2 * std::numbers::pi * (static_cast<double>(i) - centre) * e /
                                         static_cast<double>(buckets));
  return sum;
}

TEST_CASE("The window's closed form is the transform of its taps", "[sparse]") {
  for (const sparse::Window window : {sparse::Window{2, 13}, {3, 18}, {4, 28}}) {
    constexpr std::uint64_t kBuckets = 256;
    const auto taps = window.taps(kBuckets);
    REQUIRE(taps.size() == window.width * kBuckets);
    for (const double e : {0.0, 0.1, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5, 7.25, 20.0}) {
      const auto found = transformed(taps, kBuckets, e);
      // The last tap is missing, so the window's edge does not reach zero.
      CHECK(std::abs(found - window.response(e)) < window.leak() / 20);
    }
    CHECK(window.response(0) == test::Approx(1));
  }
}

TEST_CASE("Beyond the neighbours a tone only leaks", "[sparse]") {
  for (const sparse::Window window : {sparse::Window{2, 13}, {3, 18}, {4, 28}}) {
    double worst = 0;
    for (double e = window.neighbours() + 0.5; e < 64; e += 0.01)
      worst = std::max(worst, std::abs(window.response(e)));
    CHECK(worst < window.leak());
    CHECK(std::abs(window.response(window.neighbours() - 1.5)) > window.leak());
  }
}

}  // namespace
}  // namespace imago
