// This file describes convolutions by plain values, which need neither a device nor OpenCL.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Range of the computed elements of y[t] = sum_j h[j] x[t - j], with n elements of the signal x
/// and m of the kernel h along an axis. The names full, same and valid are SciPy's.
enum class Extent {
  full,     ///< all n + m - 1 elements, starting at t = 0
  same,     ///< n elements, starting at t = (m - 1) / 2 (rounded down)
  valid,    ///< n - m + 1 elements, starting at t = m - 1: h lies inside the signal; m <= n
  circular  ///< n elements, starting at t = 0; indices wrap around modulo n; m <= n
};

/// Assignment of kernels (the h of a convolution, also called filters) to signals.
enum class Kernels {
  shared,  ///< one kernel for all signals of the batch
  each,    ///< a separate kernel for each signal of the batch
  all      ///< each signal is convolved with each of `kernels`; its results follow each other
};

/// Description of a convolution. All arrays are packed and row-major. The signals of a batch, the
/// kernels, and the channels of each are stored one after the other.
struct ConvolutionShape {
  std::vector<std::size_t> signal = {};  ///< lengths of one signal, slowest axis first
  /// Lengths of one kernel, along the same axes. Nothing is convolved along an axis of length 1.
  std::vector<std::size_t> kernel = {};
  Extent extent = Extent::full;  ///< range of the computed elements
  /// True: computes the correlation y[t] = sum_j conj(h[j]) x[t + j] in the same extents. Extent
  /// full starts at t = 1 - m, same at t = 1 - m + (m - 1) / 2 (rounded down), valid and circular
  /// at t = 0.
  bool correlate = false;
  bool complex = false;                  ///< true: all arrays are complex; false: all are real
  Precision precision = Precision::f32;  ///< with f16, kernels and their spectra are f32
  std::size_t batch = 1;                 ///< number of signals
  Kernels of = Kernels::shared;          ///< assignment of kernels to signals
  std::size_t kernels = 1;               ///< number of kernels for Kernels::all
  /// Number of arrays of a signal and of a kernel whose convolutions are summed. The result has one
  /// channel.
  std::size_t channels = 1;
  /// Hooks of the signal as it is loaded, and of the result as it is stored. Elements have the
  /// types that FilterShape describes; real arrays convolved along one axis count as Storage::real.
  /// Indices are those of the padded array. In two cases they have one more dimension, before the
  /// signal's. At load it counts the channels, if there are several; else the kernels, with
  /// Kernels::all.
  Hooks ends = {};
  std::vector<Hook> spectrum = {};  ///< hooks of the spectrum after the product; indices as `ends`
  /// True: if imago predicts that it takes less time, it convolves a long signal block by block
  /// (overlap-save: Oppenheim and Schafer, Discrete-Time Signal Processing, section 8.7.3), or a
  /// real one by its halves (Crandall and Fagin 1994, Discrete weighted transforms and
  /// large-integer arithmetic). Only for one axis, one channel and no hooks of your own.
  bool blocks = true;

  friend bool operator==(const ConvolutionShape&, const ConvolutionShape&) = default;
};

}  // namespace imago
