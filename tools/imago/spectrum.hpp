// This file says what a spectrum shows: its picture and its strongest frequencies.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis.hpp"

namespace imago::command {

/// What a spectrum was made from; `frames` transforms of each of the rows, row after row.
struct SpectrumInfo {
  std::string title, subtitle, footer;
  std::vector<std::string> row_names;
  std::size_t frames = 1;
  Framing framing;
  bool padded = false;         ///< the last frame of a row ends with zeros
  bool real = false;           ///< the signal: only its lower half of frequencies is shown
  bool half = false;           ///< and only they were computed
  bool full_scale = false;     ///< an amplitude of 1 is the loudest that the recording can hold
  std::optional<double> rate;  ///< samples per second
  double gain = 1;             ///< modulus that a sinusoid of amplitude 1 gives
  Lobe lobe;
  Bins bins() const { return {framing.length, real}; }
  /// Elements of a spectrum as it was computed.
  std::size_t stored() const { return half ? framing.length / 2 + 1 : framing.length; }
  /// Of a (fractional) bin: in Hz, or in cycles per sample where the rate is not known.
  double frequency(double bin) const {
    return (static_cast<double>(bins().first()) + bin) * rate.value_or(1) /
           static_cast<double>(framing.length);
  }
  const char* level_unit() const { return full_scale ? "dBFS" : "dB"; }
};

/// Amplitudes of every transform, in bin order.
using Amplitudes = std::vector<std::vector<double>>;
template <class Real>
Amplitudes amplitudes(std::span<const std::complex<Real>> spectra, const SpectrumInfo& info);

struct Tone {
  double frequency = 0;  ///< as SpectrumInfo::frequency
  double decibels = 0;
  std::size_t row = 0;
};
/// The strongest frequencies of each row, by the mean power of its frames that are whole and
/// finite; of many rows those that are strongest of all.
std::vector<Tone> strongest(const Amplitudes& amplitudes, const SpectrumInfo& info,
                            std::size_t most);

/// One transform of two dimensions.
struct PlaneInfo {
  std::string title, subtitle, footer;
  std::size_t rows = 0, columns = 0;  ///< of the signal
  bool half = false;                  ///< columns/2+1 columns were computed
  double gain = 1;                    ///< modulus that a wave of amplitude 1 gives
};
/// An SVG of the first spectrum: columns' frequencies to the right, rows' upwards, zero in the
/// middle, and on the left where the spectrum is half.
template <class Real>
std::string plane_picture(std::span<const std::complex<Real>> spectra, const PlaneInfo& info);

/// An SVG: curves for single transforms, else a spectrogram (of frames) or a map of the rows.
std::string picture(const Amplitudes& amplitudes, const SpectrumInfo& info);

/// Pairs as the complex numbers that they are.
template <class Real>
std::span<const std::complex<Real>> complex_of(const std::vector<Real>& numbers) {
  return {reinterpret_cast<const std::complex<Real>*>(numbers.data()), numbers.size() / 2};
}

}  // namespace imago::command
