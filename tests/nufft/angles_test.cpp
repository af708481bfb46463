// This file checks angles as integers, without a device.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "nufft/angles.hpp"
#include "support/catch.hpp"

using namespace imago;

namespace {

constexpr long double kPeriod = 2 * std::numbers::pi_v<long double>;

/// Returns the turns of a difference, (x - middle), modulo 1.
long double turns_of(const nufft::Angle& angle, long double difference) {
  const long double share = std::ldexp(difference, -static_cast<int>(angle.unit) - 126),
                    slope = static_cast<long double>(angle.whole) +
                            std::ldexp(static_cast<long double>(angle.part), -64),
                    turns = (angle.negative != 0 ? -share : share) * slope;
  return turns - std::floor(turns);
}

}  // namespace

TEST_CASE("angles are the products of slopes and differences", "[nufft]") {
  struct Case {
    double slope, reach;
  };
  for (const auto& [slope, reach] :
       {Case{3.7, 1.0 / 7}, Case{-300, 1e-3}, Case{100, 3}, Case{1e-300, 1e300},
        Case{-1e300, 1e-300}, Case{0, 2}, Case{1e5, 4}}) {
    const auto angle = nufft::angle_of(slope, 0, reach);
    for (const double share : {-1.0, -0.3, 0.25, 1.0}) {
      const long double exact = static_cast<long double>(slope) * share * reach / kPeriod,
                        found = turns_of(angle, static_cast<long double>(share) * reach),
                        difference = found - (exact - std::floor(exact));
      INFO("slope " << slope << ", reach " << reach);
      CHECK(std::abs(difference - std::round(difference)) < 1e-13L);
    }
    // The power of two is the next one above the reach.
    const double power = std::ldexp(1.0, static_cast<int>(angle.unit) + 126);
    CHECK((power / 2 <= reach && reach < power));
    CHECK(std::ldexp(static_cast<double>(angle.per_reach), -62) == Approx(power / reach));
  }
}

TEST_CASE("the middle of an angle is exact modulo 2^128 units", "[nufft]") {
  const auto middle_of = [](double middle) {
    const auto angle = nufft::angle_of(1, middle, 1);  // the power is 2, the unit 2^-125
    return std::pair(angle.middle_high, angle.middle_low);
  };
  CHECK(middle_of(1) == std::pair(std::uint64_t{1} << 61, std::uint64_t{0}));
  CHECK(middle_of(-1) == std::pair(~std::uint64_t{0} << 61, std::uint64_t{0}));
  CHECK(middle_of(0x1p-125) == std::pair(std::uint64_t{0}, std::uint64_t{1}));
  CHECK(middle_of(-0x1p-125) == std::pair(~std::uint64_t{0}, ~std::uint64_t{0}));
  CHECK(middle_of(0x1p-126) == std::pair(std::uint64_t{0}, std::uint64_t{0}));
  CHECK(middle_of(8) == std::pair(std::uint64_t{0}, std::uint64_t{0}));
  CHECK(middle_of(9) == middle_of(1));
}
