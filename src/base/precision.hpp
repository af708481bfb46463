// This file says what precisions take in memory and what they are computed in.
#pragma once

#include <cstddef>

#include <imago/transform.hpp>

namespace imago::base {

/// Bytes of a real number in memory.
constexpr std::size_t bytes_of(Precision stored) {
  return stored == Precision::f64 ? 8 : stored == Precision::f32 ? 4 : 2;
}
/// The precision that is computed in: f16 is stored only.
constexpr Precision arithmetic_of(Precision stored) {
  return stored == Precision::f16 ? Precision::f32 : stored;
}

}  // namespace imago::base
