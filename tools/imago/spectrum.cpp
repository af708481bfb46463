// This file describes and draws the spectra of `imago transform`.
#include "spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/system.hpp"
#include "formats/recording.hpp"
#include "mean_power.hpp"
#include "report_writer.hpp"

namespace imago::command {
namespace {

constexpr std::size_t kMostCurves = 4, kMostPanels = 4;
constexpr std::size_t kLabels = 3;  // labels of each curve

/// The column of a frame spans one hop around the middle of the frame.
formats::Axis time_axis(const SpectrumInfo& info) {
  const auto hop = static_cast<double>(info.framing.hop), rate = info.rate.value_or(1);
  const double low =
      (static_cast<double>(info.first) + (static_cast<double>(info.framing.length) - hop) / 2) /
      rate;
  return {low,
          low + static_cast<double>(info.frames) * hop / rate,
          info.rate ? "Time (s)" : "Time (samples)",
          charts::Scale::linear,
          {},
          true};
}

std::vector<double> levels(const std::vector<double>& amplitudes) {
  std::vector<double> levels(amplitudes.size());
  std::transform(amplitudes.begin(), amplitudes.end(), levels.begin(), decibels);
  return levels;
}

std::string level_title(const SpectrumInfo& info) {
  return fmt::format("Amplitude ({})", info.level_unit());
}

/// Returns the root of the mean power of the finite frames.
std::vector<double> mean_of(std::span<const std::vector<double>> frames) {
  if (frames.size() == 1) return frames[0];
  MeanPower mean(frames[0].size());
  std::vector<double> powers(frames[0].size());
  for (const auto& frame : frames) {
    const double largest = *std::max_element(frame.begin(), frame.end());
    const int exponent = std::isfinite(largest) ? exponent_of(largest) : 0;
    std::transform(frame.begin(), frame.end(), powers.begin(),
                   [&](double amplitude) { return std::pow(std::ldexp(amplitude, -exponent), 2); });
    mean.add(powers, exponent);
  }
  return mean.amplitudes();
}

double least_of(std::vector<double> amplitudes, std::optional<double> threshold) {
  if (!threshold) return 0;
  const auto middle = amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2);
  // NaN, which cannot be sorted, stands in all bins or in none.
  if (std::isnan(*middle)) return 0;
  std::nth_element(amplitudes.begin(), middle, amplitudes.end());
  return *middle * std::pow(10, *threshold / 20);
}

struct Tone {
  double frequency = 0;  ///< in the unit of FrequencyScale
  double decibels = 0;
  std::size_t row = 0;
};

/// Returns the strongest frequencies of each row, by the mean power of its complete and finite
/// frames. If there are many rows, returns the strongest of all.
std::vector<Tone> strongest(const Amplitudes& amplitudes, const SpectrumInfo& info,
                            std::size_t most) {
  // Adjacent maxima are redundant, so two peaks must be a five-hundredth of the band apart.
  const std::size_t bins = info.bins().count(), apart = std::max<std::size_t>(4, bins / 500);
  const std::size_t rows = amplitudes.size() / info.frames;
  std::vector<Tone> tones;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t whole = info.frames - (info.padded && info.frames > 1 ? 1 : 0);
    const std::span frames = std::span(amplitudes).subspan(row * info.frames, whole);
    const std::vector<double> mean = mean_of(frames);
    for (const Peak& peak : peaks(mean, most, apart, info.lobe, least_of(mean, info.threshold)))
      tones.push_back({info.frequencies().at(peak.bin), decibels(peak.amplitude), row});
  }
  if (rows <= kMostCurves) return tones;
  std::stable_sort(tones.begin(), tones.end(),
                   [](const Tone& a, const Tone& b) { return a.decibels > b.decibels; });
  tones.resize(std::min(tones.size(), most));
  return tones;
}

std::string curves(const Amplitudes& amplitudes, const SpectrumInfo& info) {
  formats::SpectrumPicture picture{
      info.captions, frequency_axis(info.frequencies()), level_title(info), {}};
  for (std::size_t row = 0; row < amplitudes.size(); ++row) {
    picture.curves.push_back({info.row_names[row], levels(amplitudes[row])});
  }
  picture.range = info.view.levels;
  const formats::Axis& axis = picture.frequency;
  const FrequencyScale scale = info.frequencies();
  const double first = scale.at(0), last = scale.at(static_cast<double>(scale.bins.count() - 1));
  for (const Tone& tone : strongest(amplitudes, info, kLabels)) {
    const double part = (tone.frequency - first) / (last - first);
    picture.labels.push_back({axis.low + part * (axis.high - axis.low), tone.decibels,
                              frequency_text(tone.frequency, info.rate.has_value())});
  }
  return draw(picture);
}

std::string row_map(const Amplitudes& amplitudes, const SpectrumInfo& info) {
  const formats::Axis rows{-0.5, static_cast<double>(amplitudes.size()) - 0.5, "Row"};
  formats::SpectrogramPicture picture{
      info.captions, rows, frequency_axis(info.frequencies()), level_title(info), {{}}};
  for (const auto& row : amplitudes) picture.panels[0].decibels.push_back(levels(row));
  return draw(picture);
}

std::string spectrogram(const Amplitudes& amplitudes, const SpectrumInfo& info) {
  const std::size_t rows = info.row_names.size(), shown = std::min(rows, kMostPanels);
  formats::SpectrogramPicture picture{
      info.captions, time_axis(info), frequency_axis(info.frequencies()), level_title(info), {}};
  picture.range = info.view.levels;
  if (shown < rows)
    picture.captions.subtitle += fmt::format(", the first {} of {} rows", shown, rows);
  for (std::size_t row = 0; row < shown; ++row) {
    picture.panels.push_back({rows > 1 ? info.row_names[row] : "", {}});
    for (std::size_t frame = 0; frame < info.frames; ++frame) {
      picture.panels[row].decibels.push_back(levels(amplitudes[row * info.frames + frame]));
    }
  }
  return draw(picture);
}

}  // namespace

formats::Captions captions_of(const std::string& file, std::string subtitle,
                              const device::Facts& facts) {
  return {base::path_of(file).filename().string(), std::move(subtitle),
          "by imago on " + facts.name};
}

formats::Axis frequency_axis(const FrequencyScale& frequencies) {
  const double low = frequencies.at(0),
               high = frequencies.at(static_cast<double>(frequencies.bins.count() - 1)),
               most = std::max(std::abs(low), std::abs(high));
  const auto axis_of = [&](double unit, const char* title) {
    return formats::Axis{low / unit, high / unit, title, charts::Scale::linear, {}, true};
  };
  if (!frequencies.rate) return axis_of(1, "Frequency (cycles per sample)");
  // Ticks have six digits, so a narrow band far from 0 counts from its centre.
  if (constexpr double kNarrow = 2000; most > kNarrow * (high - low)) {
    formats::Axis axis = frequency_axis({frequencies.bins, frequencies.rate, 0});
    axis.title += " from " + formats::hertz_text(frequencies.centre);
    return axis;
  }
  constexpr double kKilo = 1e3, kMega = 1e6;  // a unit is used from 2 of it on
  if (most < 2 * kKilo) return axis_of(1, "Frequency (Hz)");
  if (most < 2 * kMega) return axis_of(kKilo, "Frequency (kHz)");
  return axis_of(kMega, "Frequency (MHz)");
}

std::string frequency_text(double frequency, bool in_hertz) {
  return in_hertz ? formats::hertz_text(frequency)
                  : fmt::format("{:.6f} cycles per sample", frequency);
}

template <class Real>
Amplitudes amplitudes(std::span<const std::complex<Real>> spectra, const SpectrumInfo& info) {
  Amplitudes all;
  for (std::size_t at = 0; at < spectra.size(); at += info.stored()) {
    all.push_back(amplitudes(spectra.subspan(at, info.stored()), info.bins(), info.gain));
  }
  return all;
}
template Amplitudes amplitudes(std::span<const std::complex<float>>, const SpectrumInfo&);
template Amplitudes amplitudes(std::span<const std::complex<double>>, const SpectrumInfo&);

Report strongest_of(const Amplitudes& amplitudes, const SpectrumInfo& info, std::size_t most) {
  const bool named = info.row_names.size() > 1;
  const char* label = "strongest";
  Report report;
  report.rows("strongest", strongest(amplitudes, info, most), [&](const Tone& tone) {
    Report row;
    row.line(std::exchange(label, ""), "{:>13} {:>8} {}{}",
             Field{info.rate ? "hertz" : "cycles_per_sample", tone.frequency,
                   frequency_text(tone.frequency, info.rate.has_value())},
             Field::number("decibels", tone.decibels, "{:.1f}"), info.level_unit(),
             named ? ", " + info.row_names.at(tone.row) : "");
    if (named) row.value("row", info.row_names.at(tone.row));
    return row;
  });
  return report;
}

template <class Real>
std::string plane_picture(std::span<const std::complex<Real>> spectra, const PlaneInfo& info) {
  const Bins across{info.columns, info.half}, up{info.rows, false};
  const std::size_t stored = info.half ? across.count() : info.columns;
  const auto axis = [](const Bins& bins, const char* of) {
    const auto first = static_cast<double>(bins.first()), n = static_cast<double>(bins.length);
    return formats::Axis{first / n, (first + static_cast<double>(bins.count() - 1)) / n,
                         fmt::format("Frequency of the {} (cycles per sample)", of)};
  };
  formats::SpectrogramPicture picture{
      info.captions, axis(across, "columns"), axis(up, "rows"), "Amplitude (dB)", {{}}};
  for (std::size_t i = 0; i < across.count(); ++i) {
    std::vector<double> column(up.count());
    for (std::size_t j = 0; j < column.size(); ++j) {
      const std::complex<double> value = spectra[up.at(j) * stored + across.at(i)];
      column[j] = decibels(std::abs(value) / info.gain);
    }
    picture.panels[0].decibels.push_back(std::move(column));
  }
  return draw(picture);
}
template std::string plane_picture(std::span<const std::complex<float>>, const PlaneInfo&);
template std::string plane_picture(std::span<const std::complex<double>>, const PlaneInfo&);

std::string picture(const Amplitudes& amplitudes, const SpectrumInfo& info) {
  if (info.frames > 1) return spectrogram(amplitudes, info);
  return amplitudes.size() <= kMostCurves ? curves(amplitudes, info) : row_map(amplitudes, info);
}

}  // namespace imago::command
