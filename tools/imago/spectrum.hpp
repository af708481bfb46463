// This file draws a spectrum and finds its strongest frequencies.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "device/facts.hpp"
#include "formats/picture.hpp"
#include "options.hpp"

namespace imago::command {

/// The origin of a spectrum, which has `frames` transforms of each row, row after row.
struct SpectrumInfo {
  formats::Captions captions;
  std::vector<std::string> row_names;
  std::size_t frames = 1;
  Framing framing;
  bool padded = false;         ///< the last frame of a row ends with zeros
  bool real = false;           ///< real signal: only the lower half of the frequencies is shown
  bool half = false;           ///< only the lower half was computed
  bool full_scale = false;     ///< an amplitude of 1 is the maximum of the recording
  std::optional<double> rate;  ///< samples per second
  double centre = 0;           ///< frequency of complex samples' 0
  double gain = 1;             ///< modulus for a sinusoid of amplitude 1
  Lobe lobe;
  /// The smallest level of a peak, in decibels above the median of all bins. None: any level.
  std::optional<double> threshold;
  View view;
  std::uint64_t first = 0;  ///< number of the first sample in the file
  Bins bins() const { return bins_of(view, {{framing.length, real}, rate, centre}); }
  /// Returns the number of elements of a computed spectrum.
  std::size_t stored() const { return half ? framing.length / 2 + 1 : framing.length; }
  FrequencyScale frequencies() const { return {bins(), rate, centre}; }
  const char* level_unit() const { return full_scale ? "dBFS" : "dB"; }
};

/// Returns the captions of a picture of a file: its name, and the device.
formats::Captions captions_of(const std::string& file, std::string subtitle,
                              const device::Facts& facts);

/// Returns the axis of all bins, in a unit that gives short numbers.
formats::Axis frequency_axis(const FrequencyScale& frequencies);

/// Returns for example "250.5 Hz" or "0.125000 cycles per sample".
std::string frequency_text(double frequency, bool in_hertz);

/// Amplitudes of every transform, in bin order.
using Amplitudes = std::vector<std::vector<double>>;
template <class Real>
Amplitudes amplitudes(std::span<const std::complex<Real>> spectra, const SpectrumInfo& info);

struct Report;
/// Returns a row for each of the strongest frequencies, at most `most` for each row of the spectrum
/// or of all if there are many.
Report strongest_of(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most);

/// One transform of two dimensions.
struct PlaneInfo {
  formats::Captions captions;
  std::size_t rows = 0, columns = 0;  ///< size of the signal
  bool half = false;                  ///< columns/2+1 columns were computed
  double gain = 1;                    ///< modulus for a wave of amplitude 1
};
/// Draws an SVG of the first spectrum. The frequencies of columns point right, those of rows up.
/// Zero is in the middle, or on the left for a half spectrum.
template <class Real>
std::string plane_picture(std::span<const std::complex<Real>> spectra, const PlaneInfo& info);

/// Draws an SVG: curves for single transforms, else a spectrogram (of frames) or a map of the rows.
std::string picture(const Amplitudes& amplitudes, const SpectrumInfo& info);

/// Reinterprets pairs as complex numbers.
template <class Real>
std::span<const std::complex<Real>> complex_of(const std::vector<Real>& numbers) {
  return {reinterpret_cast<const std::complex<Real>*>(numbers.data()), numbers.size() / 2};
}

}  // namespace imago::command
