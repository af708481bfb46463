// This file holds the arithmetic around a transform of a signal: frames, the window, and what a
// spectrum says about the signal. Pure functions.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace imago::command {

/// Sums of cosines (F. J. Harris, "On the use of windows for harmonic analysis with the discrete
/// Fourier transform", Proc. IEEE 66, 1978); flat_top: SciPy's.
enum class Window { none, hann, hamming, blackman, blackman_harris, flat_top };

/// How rows of samples are cut into frames.
struct Framing {
  std::size_t length = 0;  ///< of a frame
  std::size_t hop = 0;     ///< between the starts of neighbouring frames; at most `length`
  /// Frames that cover `samples` samples (at least one); what the last lacks is zero.
  std::size_t count(std::size_t samples) const;
};

/// A frame may be longer than the signal, for a finer spectrum: 64 times, or 2^20 points.
std::size_t longest_frame(std::size_t samples);

/// The frames of `rows` rows of `samples` each, row after row. The window spans the samples that a
/// row or a frame has: min(samples, framing.length).
template <class Real>
std::vector<std::complex<Real>> cut(const std::vector<std::complex<Real>>& signal, std::size_t rows,
                                    const Framing& framing, Window window);
/// The window's value at point i of n, in its periodic form.
double window_value(Window window, std::size_t i, std::size_t n);
/// Its sum: what a constant signal of 1 gives at frequency zero.
double window_sum(Window window, std::size_t n);

/// The frequencies of a spectrum of `length` points in ascending order: 0 to length/2 of a real
/// signal, else -(length/2) to (length-1)/2. In bins.
struct Bins {
  std::size_t length = 0;
  bool real = false;
  std::size_t count() const { return real ? length / 2 + 1 : length; }
  std::ptrdiff_t first() const { return real ? 0 : -static_cast<std::ptrdiff_t>(length / 2); }
  /// Where bin number i (from 0) lies in the spectrum.
  std::size_t at(std::size_t i) const { return real ? i : (i + length - length / 2) % length; }
};

/// Amplitudes of the sinusoids that would give each bin, in bin order; `gain` is the modulus that
/// one of amplitude 1 gives. In a real signal a sinusoid shows in two bins, of which half are here.
template <class Real>
std::vector<double> amplitudes(std::span<const std::complex<Real>> spectrum, const Bins& bins,
                               double gain);
/// 20 log10, not below -400.
double decibels(double amplitude);

/// The main lobe of a window, through which a sinusoid shows in a few bins.
struct Lobe {
  Window window = Window::none;
  double bins = 1;  ///< of the spectrum, for a bin of the window: more where zeros were appended
};
/// A sinusoid between bins.
struct Top {
  double shift = 0;   ///< in bins, from the middle one of three
  double factor = 1;  ///< its amplitude over the middle one's
};
/// Returns the sinusoid that gives three neighbouring amplitudes, of which the middle one is the
/// largest.
Top top_of(double left, double middle, double right, const Lobe& lobe);

struct Peak {
  double bin = 0;        ///< between the points, as top_of() finds it
  double amplitude = 0;  ///< of the sinusoid
};
/// The highest local maxima, highest first, each at least `apart` points from the higher ones.
std::vector<Peak> peaks(std::span<const double> amplitudes, std::size_t most, std::size_t apart,
                        const Lobe& lobe);

}  // namespace imago::command
