// This file converts to and from half precision (IEEE 754 binary16), which no type of C++20 holds.
#pragma once

#include <cstdint>

namespace imago::base {

/// The bits of the nearest half, of two equally near ones the even one: what OpenCL's
/// vstore_half_rte stores. From 65520 on that is infinity; below 2^-14 halves are subnormal, 2^-24
/// apart. A NaN stays one.
std::uint16_t to_half(double value);

/// Exact.
float from_half(std::uint16_t bits);

}  // namespace imago::base
