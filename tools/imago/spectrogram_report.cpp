// This file prints the report of `imago spectrogram`.
#include "spectrogram_report.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "spectrum.hpp"
#include "stft_options.hpp"

namespace imago::command {

std::string text_of(const SpectrogramReport& report) {
  const StftTask& task = report.stft.task;
  const bool one = report.stft.lost_frames == 1;
  std::string text =
      head_text(report.stft, fmt::format("no levels and {} grey in pictures", one ? "is" : "are"));
  if (std::isfinite(report.loudest.decibels)) {  // a recording may contain only NaNs
    const double moment = task.moment(report.loudest.frame);
    text += fmt::format(
        "loudest    {:.1f} {} at {}, {}{}\n", report.loudest.decibels, task.level_unit(),
        frequency_text(task.frequencies().at(report.loudest.bin), task.in_hertz()),
        task.in_hertz() ? base::number_text(moment, 2) + " s"
                        : fmt::format("sample {:.0f}", moment),
        task.recording.channels > 1 ? fmt::format(", channel {}", report.loudest_channel + 1) : "");
  } else if (report.stft.lost_frames < task.frames * task.channels.size()) {
    text += "loudest    none: the recording is silent\n";
  }
  return text + written_text(report.stft);
}

nlohmann::json to_json(const SpectrogramReport& report) {
  const StftTask& task = report.stft.task;
  nlohmann::json json = to_json(report.stft);
  json["loudest"] = nullptr;
  if (!std::isfinite(report.loudest.decibels)) return json;
  json["loudest"] = {
      {"decibels", report.loudest.decibels},
      {task.in_hertz() ? "hertz" : "cycles_per_sample", task.frequencies().at(report.loudest.bin)},
      {task.in_hertz() ? "seconds" : "samples", task.moment(report.loudest.frame)},
      {"channel", report.loudest_channel + 1}};
  return json;
}

}  // namespace imago::command
