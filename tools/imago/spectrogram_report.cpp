// This file prints the report of `imago spectrogram`.
#include "spectrogram_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/file.hpp"
#include "options.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

bool was_there(const SpectrogramReport& report, const std::string& output) {
  return std::count(report.replaced.begin(), report.replaced.end(), output) > 0;
}

/// Returns a note about values that are not finite, or an empty text.
std::string note_of(const SpectrogramReport& report) {
  if (report.lost_samples == 0 && report.lost_frames == 0) return {};
  const std::string what =
      report.lost_samples == 0
          ? "the samples are too large for f32"
          : fmt::format("{} {} NaN or infinite as f32", counted(report.lost_samples, "sample"),
                        report.lost_samples == 1 ? "is" : "are");
  return fmt::format("{}: {} of {} {} no levels and {} grey in pictures", what, report.lost_frames,
                     counted(report.task.frames * report.task.channels.size(), "frame"),
                     report.lost_frames == 1 ? "has" : "have",
                     report.lost_frames == 1 ? "is" : "are");
}

}  // namespace

std::string text_of(const SpectrogramReport& report) {
  const SpectrogramTask& task = report.task;
  std::string text =
      fmt::format("{}: {}\ndevice     {}\n", report.file, task.about, describe(report.facts));
  text +=
      fmt::format("frames     {} of {} samples, hop {}, window {}: {:.2f} Hz and {:.2f} ms apart\n",
                  task.frames, task.framing.length, task.framing.hop, word(report.window),
                  task.hertz(1), 1e3 * static_cast<double>(task.framing.hop) / task.rate);
  if (const std::string note = note_of(report); !note.empty())
    text += fmt::format("note       {}\n", note);
  const char* label = "plan";
  for (const std::string& line : lines_of(report.explain ? report.plan : ""))
    text += fmt::format("{:<10} {}\n", std::exchange(label, ""), line);
  text += fmt::format("time       {} (first call {})\n", seconds_text(report.seconds),
                      seconds_text(report.first_seconds));
  if (std::isfinite(report.loudest.decibels)) {  // a recording may contain only NaNs
    text += fmt::format(
        "loudest    {:.1f} dBFS at {:.1f} Hz, {:.2f} s{}\n", report.loudest.decibels,
        task.hertz(report.loudest.bin), task.moment(report.loudest.frame),
        task.all_channels > 1 ? fmt::format(", channel {}", report.loudest_channel + 1) : "");
  }
  for (const std::string& output : report.outputs)
    text += fmt::format("written    {}{}\n", formats::output_name(output),
                        was_there(report, output) ? ", in the place of the file of that name" : "");
  return text;
}

nlohmann::json to_json(const SpectrogramReport& report) {
  const SpectrogramTask& task = report.task;
  nlohmann::json json{
      {"file", report.file},
      {"input", task.about},
      {"device", to_json(report.facts)},
      {"rate", task.rate},
      {"frame", task.framing.length},
      {"hop", task.framing.hop},
      {"window", word(report.window)},
      {"frames", task.frames},
      {"bins", task.bins()},
      {"plan", report.plan},
      {"not_finite", {{"samples", report.lost_samples}, {"frames", report.lost_frames}}},
      {"seconds", {{"first_call", report.first_seconds}, {"calls", report.seconds}}},
      {"loudest",
       {{"decibels", report.loudest.decibels},
        {"hertz", task.hertz(report.loudest.bin)},
        {"seconds", task.moment(report.loudest.frame)},
        {"channel", report.loudest_channel + 1}}},
      {"outputs", report.outputs},
      {"replaced", report.replaced}};
  for (const std::size_t channel : task.channels) json["channels"].push_back(channel + 1);
  return json;
}

}  // namespace imago::command
