// This file computes the steps before and after a transform of a signal: frames, the window, and
// properties of the signal from its spectrum. Pure functions.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace imago::command {

/// Windows that are sums of cosines (F. J. Harris, "On the use of windows for harmonic analysis
/// with the discrete Fourier transform", Proc. IEEE 66, 1978); flat_top is SciPy's.
enum class Window { none, hann, hamming, blackman, blackman_harris, flat_top };

/// The division of rows of samples into frames.
struct Framing {
  std::size_t length = 0;  ///< length of a frame
  std::size_t hop = 0;     ///< between the starts of adjacent frames; at most `length`
  /// Returns the number of frames that cover `samples` samples (at least one); the last one is
  /// padded with zeros.
  std::size_t count(std::size_t samples) const;
};

/// Returns the maximum length of a frame. It may exceed the signal for a finer spectrum: 64 times,
/// or 2^20 points.
std::size_t longest_frame(std::size_t samples);

/// Returns the frames of `rows` rows of `samples` each, row after row. The window spans the samples
/// of a row or a frame: min(samples, framing.length).
template <class Real>
std::vector<std::complex<Real>> cut(const std::vector<std::complex<Real>>& signal, std::size_t rows,
                                    const Framing& framing, Window window);
/// Returns the window's value at point i of n, in its periodic form.
double window_value(Window window, std::size_t i, std::size_t n);
/// Returns the sum of the window, which is the response to a constant signal of 1 at frequency
/// zero.
double window_sum(Window window, std::size_t n);

/// The frequencies of a spectrum of `length` points in ascending order, in bins: 0 to length/2 for
/// a real signal, else -(length/2) to (length-1)/2.
struct Bins {
  std::size_t length = 0;
  bool real = false;
  std::size_t begin = 0, end = 0;  ///< only the bins from `begin` up to `end`; end 0: all
  std::size_t all() const { return real ? length / 2 + 1 : length; }
  std::size_t count() const { return (end == 0 ? all() : end) - begin; }
  std::ptrdiff_t first() const {
    return static_cast<std::ptrdiff_t>(begin) -
           (real ? 0 : static_cast<std::ptrdiff_t>(length / 2));
  }
  /// Returns the index in the spectrum of bin number i (from 0).
  std::size_t at(std::size_t i) const {
    return real ? begin + i : (begin + i + length - length / 2) % length;
  }
};

/// The frequencies of bins, in Hz, or in cycles per sample if the rate is unknown.
struct FrequencyScale {
  Bins bins;
  std::optional<double> rate;  ///< samples per second
  double centre = 0;           ///< frequency of 0 in the samples, in Hz: unused without a rate
  /// Returns the frequency of a fractional bin, counted from 0.
  double at(double bin) const { return of(static_cast<double>(bins.first()) + bin); }
  /// Returns the frequency of a fractional bin, counted from that of 0 in the samples.
  double of(double bin) const { return (rate ? centre : 0) + bin * step(); }
  double step() const { return rate.value_or(1) / static_cast<double>(bins.length); }
};

/// Returns the bins of a band, whose ends may be left out; nullopt if there are less than two.
std::optional<Bins> bins_between(const FrequencyScale& all, const std::optional<double>& low,
                                 const std::optional<double>& high);

/// Returns the amplitudes of sinusoids that would give each bin, in bin order. `gain` is the
/// modulus for a sinusoid of amplitude 1. In a real signal a sinusoid appears in two bins, of which
/// one is here.
template <class Real>
std::vector<double> amplitudes(std::span<const std::complex<Real>> spectrum, const Bins& bins,
                               double gain);
/// Returns 20 log10 of the amplitude: minus infinity for silence.
double decibels(double amplitude);

/// Returns the exponent of a power of two above a value, so that squares of the quotient neither
/// overflow nor vanish. The value is finite and not negative.
int exponent_of(double value);

/// The main lobe of a window, which spreads a sinusoid over a few bins.
struct Lobe {
  Window window = Window::none;
  double bins = 1;  ///< bins of the spectrum per bin of the window; more than 1 if zeros were
                    ///< appended
};
/// A sinusoid between bins.
struct Top {
  double shift = 0;   ///< in bins, from the middle one of three
  double factor = 1;  ///< amplitude of the sinusoid over that of the middle bin
};
/// Returns the sinusoid for three adjacent amplitudes, of which the middle one is the largest.
Top top_of(double left, double middle, double right, const Lobe& lobe);

struct Peak {
  double bin = 0;        ///< fractional, as found by top_of()
  double amplitude = 0;  ///< amplitude of the sinusoid
};
/// Returns the highest local maxima, highest first, each at least `apart` points from the higher
/// ones, and not below `least`.
std::vector<Peak> peaks(std::span<const double> amplitudes, std::size_t most, std::size_t apart,
                        const Lobe& lobe, double least = 0);

/// Returns the level, in decibels above the median, that no bin of white noise exceeds, except in
/// one of a hundred spectra at most; and at least 6. The spectrum is the mean power of `frames`
/// frames that have no sample in common.
double noise_threshold(std::size_t bins, double frames);

}  // namespace imago::command
