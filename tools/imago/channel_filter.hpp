// This file designs the filter that cuts a channel out of a spectrum.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace imago::command {

/// A low-pass filter with a linear phase: the sinc function times a Kaiser window, as
/// scipy.signal.kaiserord and firwin compute them. Frequencies are in Hz.
struct LowPass {
  double pass = 0;         ///< the filter passes frequencies up to this one
  double stop = 0;         ///< and attenuates those from here on
  double rate = 1;         ///< samples per second
  double attenuation = 0;  ///< in dB

  double cutoff() const { return (pass + stop) / 2; }
  double beta() const;       ///< parameter of the window
  std::size_t taps() const;  ///< an odd number
  /// Returns the impulse response, whose sum is 1.
  std::vector<double> response() const;
};

/// An angle that advances by the same fraction of a turn at each step. It is counted in units of
/// 2^-64 turns, in which whole turns vanish exactly, so that it is exact after any number of steps.
class Rotation {
 public:
  /// Each step is `hertz` samples / rate turns.
  Rotation(double hertz, std::uint64_t samples, double rate);
  /// Returns exp(-2 pi i turns) after this number of steps.
  std::complex<double> at(std::uint64_t steps) const;

 private:
  std::uint64_t step_ = 0;
};

/// Returns the taps times exp(2 pi i j hertz / rate), with j counted from the middle tap.
std::vector<std::complex<double>> shifted(const std::vector<double>& taps, double hertz,
                                          double rate);

}  // namespace imago::command
