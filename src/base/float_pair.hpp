// This file splits doubles into pairs of floats, for devices without doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace imago::base {

/// The float nearest to a number, and the float nearest to the rest.
struct FloatPair {
  explicit FloatPair(double number)
      : high(static_cast<float>(number)),
        low(std::isfinite(high) ? static_cast<float>(number - static_cast<double>(high)) : 0) {}
  float high, low;
};

/// Returns a number's pair in the memory of a kernel (kernels/pairs.cl): `high` is in the upper 32
/// bits.
inline std::uint64_t float_pair(double number) {
  const FloatPair pair(number);
  return std::uint64_t{std::bit_cast<std::uint32_t>(pair.high)} << 32 |
         std::bit_cast<std::uint32_t>(pair.low);
}

}  // namespace imago::base
