// This file describes convolutions: plain values that know no device and no OpenCL.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Which elements of y[t] = sum_j h[j] x[t - j] are computed, of n elements of x and m of h along
/// an axis. full, same and valid are SciPy's words.
enum class Extent {
  full,     ///< all n + m - 1
  same,     ///< n of them, from (m - 1) / 2 (rounded down) on
  valid,    ///< those that all of h meets elements in, n - m + 1 from m - 1 on; m is at most n
  circular  ///< indices are modulo n: n; m is at most n
};

/// Which kernels (the h of a convolution, also called filters) meet which signals.
enum class Kernels {
  shared,  ///< one kernel, with all signals of the batch
  each,    ///< each signal of the batch with its own
  all      ///< each signal with each of `kernels`: their results follow each other
};

/// What to convolve with what. All arrays are packed and row-major; those of a batch, kernels, and
/// the channels of each follow each other.
struct ConvolutionShape {
  std::vector<std::size_t> signal = {};  ///< lengths, slowest first
  /// Lengths of a kernel, along as many axes. Along an axis of 1 nothing is convolved.
  std::vector<std::size_t> kernel = {};
  Extent extent = Extent::full;  ///< which elements of the result are computed
  /// A correlation: y[t] = sum_j conj(h[j]) x[t + j] in the same extents, of which full begins at t
  /// = 1 - m, same (m - 1) / 2 (rounded down) later, and valid and circular at 0.
  bool correlate = false;
  bool complex = false;                  ///< all arrays hold complex numbers, or all real ones
  Precision precision = Precision::f32;  ///< of f16 kernels and their spectra are f32
  std::size_t batch = 1;                 ///< signals
  Kernels of = Kernels::shared;          ///< which kernels meet which signals
  std::size_t kernels = 1;               ///< with Kernels::all
  /// Arrays of a signal, and of a kernel, whose convolutions are summed: the result has none.
  std::size_t channels = 1;
  /// What is done to elements of the signal as they are read, of the spectrum behind the product,
  /// and of the result before they are written (their types: FilterShape, real arrays being of
  /// Storage::real where one axis is convolved). Indices are those of the padded array; of
  /// Kernels::all, and of signals in blocks, there is one more dimension, before them: where there
  /// are several channels, at load it is that of the channels, else that of the kernels if it is.
  Hooks ends = {};
  std::vector<Hook> spectrum = {};  ///< hooks of the spectrum: see `ends`
  /// Whether a long signal is convolved block by block where that is predicted to take less time
  /// (overlap-save: Oppenheim and Schafer, Discrete-Time Signal Processing, section 8.7.3). For one
  /// axis, and without hooks of one's own.
  bool blocks = true;

  friend bool operator==(const ConvolutionShape&, const ConvolutionShape&) = default;
};

}  // namespace imago
