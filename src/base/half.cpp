// This file converts to and from half precision.
#include "base/half.hpp"

#include <algorithm>
#include <cmath>

namespace imago::base {
namespace {

constexpr int kFractionBits = 10, kLeastExponent = -14;
constexpr std::uint16_t kSign = 0x8000, kInfinity = 0x7c00, kQuiet = 0x0200;
constexpr std::uint16_t kFraction = (1 << kFractionBits) - 1;

}  // namespace

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? kSign : 0;
  const double size = std::abs(value);
  if (std::isnan(size)) return sign | kInfinity | kQuiet;
  if (size >= 0x1p16) return sign | kInfinity;
  const int exponent = size < 0x1p-14 ? kLeastExponent : std::ilogb(size);
  // Scales to units of the last place, the distance of halves of this size (or subnormal ones);
  // exact.
  const double units = std::ldexp(size, kFractionBits - exponent);
  const double below = std::floor(units), rest = units - below;
  auto whole = static_cast<unsigned>(below);
  if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) ++whole;
  // The leading bit of a normal number adds one to the exponent, and so does a carry from the
  // fraction.
  const auto steps = static_cast<unsigned>(exponent - kLeastExponent);
  return static_cast<std::uint16_t>(sign | ((steps << kFractionBits) + whole));
}

float from_half(std::uint16_t bits) {
  const int exponent = (bits & kInfinity) >> kFractionBits, fraction = bits & kFraction;
  const bool normal = exponent > 0;
  float size = std::ldexp(static_cast<float>(normal ? fraction + kFraction + 1 : fraction),
                          std::max(exponent, 1) - 1 + kLeastExponent - kFractionBits);
  if ((bits & kInfinity) == kInfinity) size = fraction == 0 ? INFINITY : NAN;
  return (bits & kSign) != 0 ? -size : size;
}

}  // namespace imago::base
