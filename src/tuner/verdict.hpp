// This file checks the array that a candidate wrote: every element of the result, and the guards on
// both sides of it.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <imago/transform.hpp>

#include "base/precision.hpp"
#include "kernel/program.hpp"

namespace imago::tuner {

/// An array in memory: `guard` elements that must stay unchanged, the data, and `guard` elements
/// again.
struct Frame {
  Precision precision = Precision::f32;
  std::size_t elements = 0, guard = 0;
  bool real = false;   ///< elements are real numbers
  bool pairs = false;  ///< f64 is computed in pairs of f32
  std::size_t element_bytes() const { return base::bytes_of(precision) * (real ? 1 : 2); }
  std::size_t bytes() const { return (elements + 2 * guard) * element_bytes(); }
};

/// Returns an array with guards, and with `values` repeated as the data; without values, all
/// elements are guards.
std::vector<std::byte> filled(const Frame& frame, std::span<const std::complex<double>> values);

/// The correct results of a few transforms, one after another; a larger batch repeats them.
struct Expected {
  std::span<const std::complex<double>> values;
  std::size_t elements = 0;  ///< elements of a transform
  std::size_t points = 0;    ///< points of the DFT that is equivalent to a transform
};

/// Throws Error if a guard has changed, or if the relative L2 error of a transform is not below
/// twice the published bound (docs/architecture.md). Each error is relative to the transform's own
/// norm.
void judge(const Frame& frame, std::span<const std::byte> array, const Expected& expected);

}  // namespace imago::tuner
