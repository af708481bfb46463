// This file implements the choice of rates and filters.
#include "channel_task.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "formats/file.hpp"
#include "options.hpp"

namespace imago::command {
namespace {

/// Returns the rates near the wanted one, as text.
std::string rates_near(double rate, double wanted) {
  const double quotient = rate / wanted, lower = std::max(1.0, std::floor(quotient));
  return fmt::format("{} (divided by {}) or {} (by {})", rate_text(rate / lower), lower,
                     rate_text(rate / (lower + 1)), lower + 1);
}

/// A fraction, the ratio of two rates.
struct Ratio {
  std::uint64_t up = 1, down = 1;
};

/// Returns the ratio by continued fractions; not set if it has more than seven digits.
std::optional<Ratio> ratio_of(double value) {
  constexpr double kMost = 1e7, kSame = 1e-12;
  double up = 1, down = 0, up_before = 0, down_before = 1, rest = value;
  for (;;) {
    const double whole = std::floor(rest);
    up_before = std::exchange(up, whole * up + up_before);
    down_before = std::exchange(down, whole * down + down_before);
    if (!(up <= kMost && down <= kMost)) return {};
    if (std::abs(up / down - value) <= kSame * value)
      return Ratio{static_cast<std::uint64_t>(up), static_cast<std::uint64_t>(down)};
    rest = 1 / (rest - whole);
  }
}

/// Returns the filter of a rate for a band that passes, and an end of the transition.
LowPass filter_of(const ChannelSettings& settings, double rate, double stop) {
  LowPass filter{.pass = settings.width / 2, .rate = rate, .attenuation = settings.attenuation};
  filter.stop = std::min(rate / 2, stop);
  constexpr double kMostTaps = 1 << 20;
  if (!(filter.stop > filter.pass) || rate / (filter.stop - filter.pass) > kMostTaps / 8)
    throw Misuse(fmt::format("--width is {}: it must be well below the sampling rate, {}",
                             settings.width, rate));
  return filter;
}

/// Sets the rates and filters. A decimation by a whole number needs one filter. Else the first of
/// two leaves at least twice the wanted rate.
void set_filters(const ChannelSettings& settings, double rate, ChannelTask& task) {
  constexpr double kMargin = 1.25, kLeastSlope = 0.1;  // the slope is a part of the band
  constexpr std::uint64_t kMost = 1 << 20;
  Ratio ratio;
  if (!settings.output_rate) {
    ratio.down = static_cast<std::uint64_t>(
        std::clamp(std::floor(rate / (kMargin * settings.width)), 1.0, static_cast<double>(kMost)));
  } else {
    const auto found = ratio_of(*settings.output_rate / rate);
    if (!found || found->down / found->up > kMost || found->up > found->down)
      throw Misuse(fmt::format(
          "--output-rate is {}: it must be at most the rate, {}, and a fraction of it of at most "
          "seven digits, such as {}",
          *settings.output_rate, rate, rates_near(rate, std::min(rate, *settings.output_rate))));
    ratio = *found;
  }
  task.decimation = ratio.down;
  const bool whole = ratio.up == 1;
  if (!whole) {
    constexpr std::uint64_t kLeastRates = 2;
    task.decimation = 1;
    for (std::uint64_t divisor = 1; divisor * kLeastRates * ratio.up <= ratio.down; ++divisor)
      if (ratio.down % divisor == 0) task.decimation = divisor;
    task.resampling = Resampling{ratio.up, ratio.down / task.decimation};
  }
  const double output_rate = task.rate(), between = task.decimated_rate();
  if (settings.width > output_rate)
    throw Misuse(fmt::format("--width is {}: at {} samples per second it must be at most {}",
                             settings.width, rate_text(output_rate), rate_text(output_rate)));
  const double stop = std::max(output_rate / 2, (1 + kLeastSlope) * settings.width / 2);
  // The second filter removes the frequencies beyond `stop` that the first one leaves.
  task.filter = filter_of(settings, rate, whole ? stop : between - stop);
  task.taps = whole || task.decimation > 1 ? task.filter.taps() : 1;
  if (whole) return;
  task.resampling->filter = filter_of(settings, between, stop);
  task.resampling->filter.rate *= static_cast<double>(ratio.up);
}

/// Returns how far the channel's frequency is above the centre. Throws Misuse for one that the
/// recording does not have, and says what may be meant.
double shift_of(const ChannelSettings& settings, const formats::RecordingInfo& info,
                const std::string& name) {
  const double high = *info.rate / 2, low = info.complex ? -high : 0, centre = info.centre;
  const auto inside = [&](double hertz) { return low <= hertz && hertz <= high; };
  const double value = settings.at.value_or(settings.shift.value_or(0)),
               shift = settings.at ? value - centre : value,
               other = settings.at ? value : value - centre;  // as if the other option had it
  if (inside(shift)) return shift;
  const char* const option = settings.at ? "--at" : "--shift";
  if (!settings.at && centre != 0 && inside(other))
    throw Misuse(fmt::format(
        "--shift is {}: it counts from the centre of {}, {}; write --shift {} or --at {}",
        typed(value), name, typed(centre), typed(other), typed(value)));
  const double first = settings.at ? centre : 0;
  std::string text = fmt::format("{} is {}: {} has frequencies from {} to {} Hz{}", option,
                                 typed(value), name, typed(first + low), typed(first + high),
                                 centre != 0 && !settings.at ? " from its centre" : "");
  if (const auto hertz = with_unit(value, first + low, first + high))
    text += fmt::format("; did you mean {} {}?", option, typed(*hertz));
  else if (centre != 0 && inside(other))
    text += fmt::format("; write --at {} or --shift {}", typed(centre + value), typed(value));
  else if (centre == 0 && info.complex)
    text += "; for the frequencies of a receiver add --centre, and name the channel with --at";
  throw Misuse(text);
}

}  // namespace

std::string rate_text(double rate) { return fmt::format("{:.9g}", rate); }

ChannelTask task_of(const ChannelSettings& settings, const formats::RecordingInfo& info) {
  const std::string name = formats::input_name(settings.file);
  if (!info.rate)
    throw Misuse(name + " has no sampling rate, which frequencies in Hz need: add --rate");
  const double rate = *info.rate;
  ChannelTask task{.recording = info, .shift = shift_of(settings, info, name), .filter = {}};
  if (settings.channel == 0 && info.channels > 1)
    throw Misuse(fmt::format("{} has {} channels: choose one with --channel{}", name, info.channels,
                             info.channels == 2 ? ", or read them as I and Q with --iq" : ""));
  if (settings.channel > info.channels)
    throw Misuse(fmt::format("--channel is {}: {} has channels 1 to {}", settings.channel, name,
                             info.channels));
  task.channel = settings.channel == 0 ? 0 : settings.channel - 1;
  set_filters(settings, rate, task);
  return task;
}

Misuse unsuited_ratio(const ChannelSettings& settings, const ChannelTask& task) {
  const Resampling& ratio = task.resampling.value();
  return Misuse(
      fmt::format("--output-rate is {}: {} samples for {} need too large a table; near it are {}",
                  rate_text(settings.output_rate.value_or(0)), ratio.up,
                  ratio.down * task.decimation, rates_near(*task.recording.rate, task.rate())));
}

}  // namespace imago::command
