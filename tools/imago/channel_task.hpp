// This file decides how `imago channel` cuts: rates, filters and the place of the channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "base/integers.hpp"
#include "channel_filter.hpp"
#include "command.hpp"
#include "formats/open_recording.hpp"

namespace imago::command {

struct ChannelSettings {
  std::string file, output, device;
  formats::RecordingOptions recording;
  std::optional<formats::RawFormat> output_format;
  std::optional<double> shift, at, output_rate;
  double width = 0, attenuation = 80;
  std::size_t channel = 0;  ///< number of the channel, counted from 1; 0: the only one
  Options options;
  bool explain = false, json = false;
};

/// A change of rate by L / M: of the samples with L - 1 zeros behind each, filtered, every M-th is
/// left.
struct Resampling {
  std::size_t up = 1, down = 1;
  LowPass filter = {};  ///< at `up` times the rate of the samples
  /// Returns the zeros before the filter, with which its middle is at a multiple of `down`.
  std::size_t zeros() const { return (down - filter.taps() / 2 % down) % down; }
  /// Returns the number of results before the first one that belongs to a sample.
  std::size_t skipped() const { return (filter.taps() / 2 + zeros()) / down; }
  std::uint64_t results(std::uint64_t samples) const {
    return base::ceil_divide(samples * up, std::uint64_t{down});
  }
};

/// The parameters of a cut.
struct ChannelTask {
  formats::RecordingInfo recording;
  std::size_t channel = 0;
  double shift = 0;
  LowPass filter;
  std::size_t decimation = 1, taps = 1;
  std::optional<Resampling> resampling = {};
  /// Return the rate after the decimation, and that of the results.
  double decimated_rate() const { return *recording.rate / static_cast<double>(decimation); }
  double rate() const {
    if (!resampling) return decimated_rate();
    return decimated_rate() * static_cast<double>(resampling->up) /
           static_cast<double>(resampling->down);
  }
  double centre() const { return recording.centre + shift; }
  /// Returns the number of samples from the first result to the middle of the filter.
  std::size_t delay() const { return taps / 2; }
  /// Returns the number of zeros before the first sample, after which the middle of the filter
  /// meets it at a result.
  std::size_t zeros() const { return (decimation - delay() % decimation) % decimation; }
};

/// Returns a rate as text, without zeros at its end.
std::string rate_text(double rate);

/// Returns the task for a recording. Throws Misuse for options that do not suit it.
ChannelTask task_of(const ChannelSettings& settings, const formats::RecordingInfo& info);
/// Returns the error for a ratio of rates that needs too large a table.
Misuse unsuited_ratio(const ChannelSettings& settings, const ChannelTask& task);

}  // namespace imago::command
