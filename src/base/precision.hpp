// This file maps a precision to its size in memory and to the precision of its arithmetic.
#pragma once

#include <cstddef>

#include <imago/transform.hpp>

namespace imago::base {

/// Returns the bytes of a real number in memory.
constexpr std::size_t bytes_of(Precision stored) {
  return stored == Precision::f64 ? 8 : stored == Precision::f32 ? 4 : 2;
}
/// Returns the precision of the arithmetic. Type f16 is for storage only.
constexpr Precision arithmetic_of(Precision stored) {
  return stored == Precision::f16 ? Precision::f32 : stored;
}

}  // namespace imago::base
