// This file describes filters of streams by plain values, which need neither a device nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Description of a filter with a finite impulse response (FIR), y[t] = sum_j taps[j] x[t - j], of
/// a stream x that begins at t = 0. The stream is transformed in segments of `points` samples that
/// overlap by taps - 1 (overlap-save: Oppenheim and Schafer, Discrete-Time Signal Processing,
/// section 8.7.3).
struct FirFilter {
  /// Kind::real: samples and taps are real. Kind::complex: both are complex.
  Kind kind = Kind::real;
  Precision precision = Precision::f32;  ///< f32 or f64: precision of samples and results
  /// The most samples of one block, then the lengths of further dimensions, which are channels:
  /// {4096, 2} is stereo, with the two channels of a sample next to each other.
  std::vector<std::size_t> lengths = {};
  std::vector<std::complex<double>> taps = {};  ///< the impulse response
  /// Length of the Fourier transforms, above that of the taps. A result waits for at most
  /// points - taps further samples. 0: imago chooses a power of two, at least four times the taps;
  /// times the decimation, of which it must be a multiple.
  std::size_t points = 0;
  /// Number of samples for one result: result i is y[i decimation].
  std::size_t decimation = 1;
  /// Number of samples that each sample becomes before the filter: interpolation - 1 zeros follow
  /// it, and t counts the samples with them. So the rate of the results is that of the samples
  /// times interpolation / decimation. Above 1 (without common divisors), `points` is 0, samples
  /// have no hooks, and a result is a sum over its taps without a Fourier transform. Fewer taps
  /// than `interpolation` are as if zeros followed.
  std::size_t interpolation = 1;
  Storage storage = Storage::interleaved;  ///< interleaved or planar: storage of complex samples
  /// Hooks of the samples as they are loaded, and of the results as they are stored. Their first
  /// dimension is a segment.
  Hooks ends = {};

  friend bool operator==(const FirFilter&, const FirFilter&) = default;
};

}  // namespace imago
