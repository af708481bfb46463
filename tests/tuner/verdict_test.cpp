// This file plants errors in results: the tuner must not choose a candidate with one.
#include "tuner/verdict.hpp"

#include <algorithm>
#include <cmath>

#include <imago/error.hpp>

#include "base/half.hpp"
#include "support/catch.hpp"

using namespace imago;

namespace {

std::vector<std::complex<double>> spectrum() {
  std::vector<std::complex<double>> values(192);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {base::from_half(base::to_half(std::sin((i + 1) * 1.3))),
                 base::from_half(base::to_half(std::cos(i * 0.7)))};
  return values;
}

}  // namespace

TEST_CASE("A right result passes, a wrong one does not", "[tune]") {
  const auto precision = GENERATE(Precision::f16, Precision::f32, Precision::f64);
  const bool real = GENERATE(false, true);
  const tuner::Frame frame{precision, 640, 8, real};
  auto values = spectrum();
  if (real)
    for (auto& value : values) value = value.real();
  const tuner::Expected expected{values, 64, 64};
  auto array = tuner::filled(frame, values);
  REQUIRE(array.size() == frame.bytes());
  REQUIRE_NOTHROW(tuner::judge(frame, array, expected));

  SECTION("one element of 640 with a wrong sign") {
    const std::size_t element = GENERATE(0, 1, 333, 639);
    const std::size_t size = frame.element_bytes() / (real ? 1 : 2);
    array[(8 + element) * frame.element_bytes() + size - 1] ^= std::byte{0x80};
    CHECK_THROWS_WITH(tuner::judge(frame, array, expected),
                      test::ContainsSubstring("result is wrong"));
  }
  SECTION("a small transform with what a larger one leaves in it") {
    auto sizes = values;
    for (std::size_t i = 0; i < 64; ++i) sizes[i] *= 0x1p-6;
    array = tuner::filled(frame, sizes);
    const tuner::Expected different{sizes, 64, 64};
    REQUIRE_NOTHROW(tuner::judge(frame, array, different));
    // An error that the whole array would hide: half of the bound of all, all in the first.
    auto leaked = sizes;
    const double share = precision == Precision::f64   ? 2e-16
                         : precision == Precision::f32 ? 1e-7
                                                       : 3e-4;
    for (std::size_t i = 0; i < 64; ++i) leaked[i] += share * values[64 + i];
    CHECK_THROWS_WITH(tuner::judge(frame, tuner::filled(frame, leaked), different),
                      test::ContainsSubstring("of transform 0"));
  }
  SECTION("an element that nobody wrote") {
    std::fill_n(array.begin() + 9 * static_cast<std::ptrdiff_t>(frame.element_bytes()),
                frame.element_bytes(), std::byte{0xff});  // NaN
    CHECK_THROWS_WITH(tuner::judge(frame, array, expected),
                      test::ContainsSubstring("result is wrong"));
  }
  SECTION("a result that was never written") {
    CHECK_THROWS_AS(tuner::judge(frame, tuner::filled(frame, {}), expected), Error);
  }
  SECTION("a byte beside the array") {
    const std::size_t size = frame.element_bytes();
    const std::size_t places[] = {0, 8 * size - 1, 648 * size, array.size() - 1};
    array[places[GENERATE(0, 1, 2, 3)]] = std::byte{0};
    CHECK_THROWS_WITH(tuner::judge(frame, array, expected),
                      test::ContainsSubstring("outside its array"));
  }
}
