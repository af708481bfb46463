// This file describes averaged spectra by plain values, which need neither a device nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Description of spectra that are averaged over overlapping frames of signals (Welch 1967). The
/// spectrum of frame i is
///
///     X[i][k] = sum_j x[i hop + j] conj(window[j]) exp(-2 pi i j k / points)
///
/// and the result is the mean of |X[i][k]|^2 over all frames that lie in the signal, or with
/// `cross`, the mean of conj(X[i][k]) Y[i][k] with the spectra Y of a second signal. The results
/// have the dimensions of the signal without that of the samples, and a last dimension of bins.
struct WelchTransform {
  /// Kind::real: signals and window are real, and there are points/2+1 bins. Kind::complex: there
  /// are `points` bins.
  Kind kind = Kind::real;
  Precision precision = Precision::f32;   ///< f32 or f64: precision of signals and results
  std::vector<std::size_t> lengths = {};  ///< lengths of a signal, slowest axis first
  std::optional<std::size_t> axis = {};   ///< the axis of the samples; not set: the last
  std::size_t batch = 1;                  ///< number of signals in one call
  /// Factors of the samples of a frame. Their number is the number of samples in a frame.
  std::vector<std::complex<double>> window = {};
  std::size_t points = 0;  ///< length of the Fourier transform, at least that of a frame; 0: equal
  std::size_t hop = 0;     ///< number of samples from one frame to the next
  bool cross = false;      ///< true: cross spectra of two signals, which are complex
  Layout signal = {};      ///< layout of the signal. Storage::real: its samples are real
  Layout other = {};       ///< layout of the second signal
  Layout spectrum = {};    ///< layout of the results, with strides for the bins last
  /// Hooks at the samples of frames (load), before the window, and at the bins (store), before they
  /// are squared. Their arrays have the dimensions of the signal, with frames in place of samples,
  /// and a last dimension. A call computes frames in groups: a function that needs the number of
  /// its frame adds the first one of the group, an int parameter of the name `first_frame`.
  Hooks on_forward = {};
  Hooks on_other = {};  ///< hooks of the second signal

  friend bool operator==(const WelchTransform&, const WelchTransform&) = default;
};

}  // namespace imago
