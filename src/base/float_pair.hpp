// This file splits doubles into pairs of floats, for devices without doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace imago::base {

/// Returns the float nearest to a number and the float nearest to the rest, in the upper and the
/// lower 32 bits: a pair in the memory of a kernel (kernels/pairs.cl).
inline std::uint64_t float_pair(double number) {
  const auto high = static_cast<float>(number);
  const double rest = std::isfinite(high) ? number - static_cast<double>(high) : 0;
  return std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32 |
         std::bit_cast<std::uint32_t>(static_cast<float>(rest));
}

}  // namespace imago::base
