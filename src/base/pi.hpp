// This file defines pi for long double.
#pragma once

namespace imago::base {

/// In libc++ 19, std::numbers::pi_v<long double> has only the digits of a double.
inline constexpr long double kLongPi = 3.141592653589793238462643383279502884L;

}  // namespace imago::base
