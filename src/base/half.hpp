// This file converts to and from half precision (IEEE 754 binary16), for which C++20 has no type.
#pragma once

#include <cstdint>

namespace imago::base {

/// Returns the bits of the nearest float16, to even in a tie, as OpenCL's vstore_half_rte stores
/// it. Values of 65520 and above become infinity; values below 2^-14 are subnormal, 2^-24 apart. A
/// NaN stays a NaN.
std::uint16_t to_half(double value);

/// Returns the value of a float16; exact.
float from_half(std::uint16_t bits);

}  // namespace imago::base
