// This file prepares angles slope (x - middle) for kernels that compute them by integers: Payne and
// Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18 (1983).
#include "nufft/angles.hpp"

#include <cmath>

#include "nufft/periods.hpp"

namespace imago::nufft {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kDigits = 53, kWord = 64, kWide = 128;
/// Bits of a difference below the power of two: one is left for the sign, and one for twice as
/// much.
constexpr int kDifference = 126;

/// A number of at most 53 bits times a power of two.
struct Parts {
  std::uint64_t digits;
  int exponent;
};

Parts parts_of(double size) {
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, kDigits)), exponent - kDigits};
}

/// Returns number 2^by modulo 2^128, rest cut off.
Wide shifted(Wide number, int by) {
  if (by <= -kWide || by >= kWide) return 0;
  return by < 0 ? number >> -by : number << by;
}

}  // namespace

Angle angle_of(double slope, double middle, double reach) {
  int power = 0;  // its power of two is the next one above the reach
  const double share = std::frexp(reach, &power);
  Angle angle;
  if (reach > 0) angle.per_reach = static_cast<std::uint64_t>(std::ldexp(1 / share, 62));
  angle.unit = power - kDifference;
  const Parts from = parts_of(std::abs(middle));
  Wide of_middle = shifted(from.digits, from.exponent - static_cast<int>(angle.unit));
  if (middle < 0) of_middle = -of_middle;
  angle.middle_high = static_cast<std::uint64_t>(of_middle >> kWord);
  angle.middle_low = static_cast<std::uint64_t>(of_middle);

  const Parts factor = parts_of(std::abs(slope));
  const int skipped = factor.exponent + power;  // bits of 1 / (2 pi)
  const Wide upper = Wide{factor.digits} * period_bits(skipped - kWord),
             middle_part = Wide{factor.digits} * period_bits(skipped),
             lower = Wide{factor.digits} * period_bits(skipped + kWord) >> kWord;
  const Wide product = (upper << kWord) + middle_part + lower;
  angle.whole = static_cast<std::uint64_t>(product >> kWord);
  angle.part = static_cast<std::uint64_t>(product);
  angle.negative = slope < 0 ? 1 : 0;
  return angle;
}

}  // namespace imago::nufft
