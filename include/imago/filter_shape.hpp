// This file describes filters: plain values that know no device and no OpenCL.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// A filter: the forward transform of a signal, hooks on its spectrum, and the inverse transform of
/// what they leave. The inverse undoes the forward transform, so without hooks the result is the
/// signal.
struct FilterShape {
  Kind kind = Kind::complex;    ///< as Transform::kind: complex, real or identity
  std::vector<Kind> axes = {};  ///< as Transform::axes: complex, real or identity
  Precision precision = Precision::f32;
  std::vector<std::size_t> lengths = {};  ///< of the signal, slowest-varying first
  std::size_t batch = 1;                  ///< signals of one call
  Placement placement = Placement::out_of_place;
  double scale = 1;    ///< factor of the result; finite and not 0
  Layout signal = {};  ///< of the array that apply() reads
  Layout result = {};  ///< of the array that apply() writes
  /// Hooks of the signal as it is loaded, and of the result as it is stored.
  Hooks ends = {};
  /// Hooks of the spectrum: scale, window, multiply, zero_outside, modulate and code. Their indices
  /// are those of the spectrum, in which a real axis of n points has n/2+1 entries. Of arrays of
  /// Storage::real all axes are complex: the elements of their spectrum are Hermitian.
  std::vector<Hook> spectrum = {};

  friend bool operator==(const FilterShape&, const FilterShape&) = default;
};

}  // namespace imago
