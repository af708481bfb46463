// This file describes filters by plain values, which need neither a device nor OpenCL.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Description of a filter: the forward transform of a signal, hooks on its spectrum, and the
/// inverse transform of the changed spectrum. Without hooks the result is the signal times `scale`.
struct FilterShape {
  Kind kind = Kind::complex;    ///< complex, real or identity, for all axes; see Transform::kind
  std::vector<Kind> axes = {};  ///< complex, real or identity, for each axis; see Transform::axes
  Precision precision = Precision::f32;           ///< precision of signal and result
  std::vector<std::size_t> lengths = {};          ///< lengths of the signal, slowest axis first
  std::size_t batch = 1;                          ///< number of signals in one call
  Placement placement = Placement::out_of_place;  ///< place of the result
  double scale = 1;                               ///< factor of the result; finite and not 0
  Layout signal = {};                             ///< layout of the array that apply() reads
  Layout result = {};                             ///< layout of the array that apply() writes
  /// Hooks of the signal as it is loaded, and of the result as it is stored.
  Hooks ends = {};
  /// Hooks of the spectrum: scale, window, multiply, conjugate, zero_outside, modulate and code.
  /// Their indices are those of the spectrum, in which a real axis of n points has n/2+1 entries.
  /// For a signal of Storage::real, whose axes are complex, hooks see the whole Hermitian spectrum.
  std::vector<Hook> spectrum = {};

  friend bool operator==(const FilterShape&, const FilterShape&) = default;
};

}  // namespace imago
