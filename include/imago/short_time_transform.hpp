// This file describes short-time Fourier transforms by plain values, which need neither a device
// nor OpenCL.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <imago/hooks.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Samples before the first one and behind the last one, which frames at the borders need.
enum class Border {
  zeros,  ///< 0
  edge,   ///< the nearest sample of the signal
  even,   ///< the signal reflected at its first and last sample: x[-j] = x[j]
  odd     ///< reflected through its first and last sample: x[-j] = 2 x[0] - x[j]
};

/// Description of a short-time Fourier transform (STFT) of signals x:
///
///     X[i][k] = sum_j x[i hop + j - before] conj(window[j]) exp(-2 pi i (j + roll) k / points)
///
/// for frames i and bins k. The spectra have the dimensions of the signal, with the number of
/// frames in place of the samples, and a last dimension of bins behind them.
struct ShortTimeTransform {
  /// Kind::real: signal and window are real, and a frame has points/2+1 bins. Kind::complex: it has
  /// `points` bins.
  Kind kind = Kind::real;
  Precision precision = Precision::f32;   ///< f32 or f64: precision of signal and spectra
  std::vector<std::size_t> lengths = {};  ///< lengths of the signal, slowest axis first
  std::optional<std::size_t> axis = {};   ///< the axis of the samples; not set: the last
  std::size_t batch = 1;                  ///< number of signals in one call
  /// Factors of the samples of a frame. Their number is the number of samples in a frame.
  std::vector<std::complex<double>> window = {};
  /// Factors of the frames that inverse() adds; as many. Empty: the canonical dual window, that
  /// with the least energy (Griffin and Lim 1984, equation 6).
  std::vector<std::complex<double>> dual = {};
  /// Length of the Fourier transform; 0: that of a frame. Longer: zeros follow a frame. Shorter,
  /// and a divisor: frames are folded, as in a polyphase channelizer, only by forward(), and
  /// samples have no hooks.
  std::size_t points = 0;
  std::size_t hop = 0;  ///< number of samples from one frame to the next
  /// Number of samples by which the first frame starts before the signal. Not set: frame - hop, so
  /// that each sample is in as many frames as the others, and inverse() restores all of them.
  std::optional<std::size_t> before = {};
  std::size_t frames = 0;  ///< number of frames; 0: all that start before the end of the signal
  /// Number of samples by which the frame, padded with zeros to `points`, is shifted around.
  std::int64_t roll = 0;
  Border border = Border::zeros;  ///< samples outside of the signal, which forward() reads
  Directions directions = Directions::both;  ///< directions that the plan has kernels for
  Layout signal = {};  ///< layout of the signal. Storage::real: its samples are real
  /// Layout of the spectra, with strides for the signal's dimensions and for the bins.
  Layout spectrum = {};
  /// Hooks of forward() at the samples of frames (load), before the window, and at the bins
  /// (store). Their arrays have the dimensions of the spectra.
  Hooks on_forward = {};
  Hooks on_inverse = {};  ///< hooks of inverse() at the bins (load), and at the frames (store)

  friend bool operator==(const ShortTimeTransform&, const ShortTimeTransform&) = default;
};

}  // namespace imago
