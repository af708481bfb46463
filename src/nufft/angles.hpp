// This file prepares angles slope (x - middle) for kernels that compute them by integers.
#pragma once

#include <cstdint>

namespace imago::nufft {

/// The largest product of a coordinate and a frequency, in radians: 2^64 turns and more have no
/// room in `whole`.
constexpr double kLargestAngle = 0x1p65;

/// An angle slope (x - middle) of a coordinate x, in turns: (x - middle) / unit times
/// (whole + part 2^-64) 2^-126, where the unit is a power of two. kernels/nufft_type3.cl computes
/// it modulo 1, and needs no doubles.
struct Angle {
  std::uint64_t middle_high = 0, middle_low = 0;  ///< middle / unit, modulo 2^128, rest cut off
  std::uint64_t whole = 0, part = 0;              ///< |slope| unit 2^126 / (2 pi)
  std::uint64_t negative = 0;                     ///< 1: the slope is negative
  std::int64_t unit = 0;                          ///< exponent of the unit
  std::uint64_t per_reach = 0;                    ///< 2^126 units / reach, in 2^-62; 0 for no reach
};

/// The coordinates are from middle - reach to middle + reach, and |slope| times reach is at most
/// kLargestAngle. The error is below 2^-59 turns.
Angle angle_of(double slope, double middle, double reach);

}  // namespace imago::nufft
