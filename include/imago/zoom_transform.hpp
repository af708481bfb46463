// This file describes zooms by plain values, which need neither a device nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

namespace imago {

/// Points z[k] = start ratio^-k of the complex plane, at which the chirp z-transform evaluates
/// X[k] = sum_j x[j] z[k]^-j. SciPy calls them `a` and `w`. A modulus within 2^-50 of 1 counts
/// as 1.
struct Spiral {
  std::complex<double> start = 1;  ///< first point; finite and not 0
  /// Point k divided by point k + 1; finite and not 0. Not set: the points divide the circle, and
  /// the ratio is exactly exp(-2 pi i / points).
  std::optional<std::complex<double>> ratio = {};
  friend bool operator==(const Spiral&, const Spiral&) = default;
};

/// Description of a zoom: the Fourier transform of a signal at equally spaced frequencies of a
/// range, X[k] = sum_j x[j] exp(-2 pi i j f[k]). Frequency f[k], in cycles per sample, is
/// (from + k (to - from) / points) / rate. imago computes f[k] exactly from these numbers: with
/// from = 1, to = 2 and rate = 3, the range is exactly that from a third to two thirds.
struct ZoomTransform {
  Precision precision = Precision::f32;   ///< precision of signal and spectrum
  std::vector<std::size_t> lengths = {};  ///< lengths of the signal, slowest axis first
  std::optional<std::size_t> axis = {};   ///< the transformed axis; not set: the last
  std::size_t batch = 1;                  ///< number of signals in one call
  std::size_t points = 0;                 ///< number of frequencies, from 1 to 2^40
  double from = 0;                        ///< first frequency, in units of `rate`
  double to = 1;                          ///< end of the range, in units of `rate`
  double rate = 1;                        ///< the sampling rate, above 0, such as 48000 (Hz)
  bool endpoint = false;                  ///< true: `to` is the last frequency, not one too far
  /// Points of the complex plane instead of the frequencies; from, to, rate and endpoint are then
  /// ignored. Points off the unit circle need Precision::f64.
  std::optional<Spiral> spiral = {};
  Directions directions = Directions::both;  ///< inverse means adjoint()
  /// Layout of the signal, which forward() reads and adjoint() writes. With Storage::real, signals
  /// are real: adjoint() writes the real parts of its results.
  Layout signal = {};
  Layout spectrum = {};  ///< layout of the array that forward() writes and adjoint() reads

  friend bool operator==(const ZoomTransform&, const ZoomTransform&) = default;
};

}  // namespace imago
