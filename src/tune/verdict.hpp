// This file judges the array that a candidate left behind: every element of the result, and the
// guards on both sides of it.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <imago/transform.hpp>

#include "base/precision.hpp"
#include "kernel/program.hpp"

namespace imago::tune {

/// An array in memory: `guard` elements that nobody may write, the data, `guard` elements again.
struct Frame {
  Precision precision = Precision::f32;
  std::size_t elements = 0, guard = 0;
  bool real = false;  ///< elements are real numbers
  std::size_t element_bytes() const { return base::bytes_of(precision) * (real ? 1 : 2); }
  std::size_t bytes() const { return (elements + 2 * guard) * element_bytes(); }
};

/// Guards everywhere, and `values` in turns where the data is; only guards without values.
std::vector<std::byte> filled(const Frame& frame, std::span<const std::complex<double>> values);

/// Right results: those of a few transforms one after the other, which more of a batch repeat.
struct Expected {
  std::span<const std::complex<double>> values;
  std::size_t elements = 0;  ///< of a transform
  std::size_t points = 0;    ///< of the DFT that a transform stands for
};

/// Throws Error if a guard was written, or if the relative L2 error of a transform is not below
/// twice the published bound (docs/architecture.md). Each is measured by its own norm.
void judge(const Frame& frame, std::span<const std::byte> array, const Expected& expected);

}  // namespace imago::tune
