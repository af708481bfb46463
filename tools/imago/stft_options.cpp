// This file implements the shared options and report of `spectrogram` and `spectrum`.
#include "stft_options.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/system.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "options.hpp"
#include "spectrum.hpp"

namespace imago::command {
namespace {

bool was_there(const StftReport& report, const std::string& output) {
  return std::count(report.replaced.begin(), report.replaced.end(), output) > 0;
}

/// Returns a note about values that are not finite, or an empty text.
std::string note_of(const StftReport& report, const std::string& lost) {
  if (report.lost_samples == 0 && report.lost_frames == 0) return {};
  return fmt::format("{} {} NaN or infinite: {} of {} {} {}",
                     counted(report.lost_samples, "sample"),
                     report.lost_samples == 1 ? "is" : "are", report.lost_frames,
                     counted(report.task.frames * report.task.channels.size(), "frame"),
                     report.lost_frames == 1 ? "has" : "have", lost);
}

/// Returns the distances of bins and frames.
std::string distances(const StftTask& task) {
  const double step = task.frequencies().step(), hop = static_cast<double>(task.framing.hop);
  if (!task.in_hertz())
    return fmt::format("{:.6f} cycles per sample and {} samples", step, task.framing.hop);
  return fmt::format("{} Hz and {} ms", number_text(step, 2),
                     number_text(1e3 * hop / *task.recording.rate, 2));
}

}  // namespace

void add_stft(CLI::App& app, StftSettings& settings, const std::string& hop) {
  app.add_option("file", settings.file,
                 "Recording of any length (" + formats::endings_text() +
                     "), raw samples with --format, or - for standard input")
      ->required();
  add_recording(app, settings.recording);
  add_section(app, settings.recording);
  add_view(app, settings.view);
  add_count(app, "--frame", "N", settings.frame, "Compute frames of N samples")
      ->capture_default_str();
  add_count(app, "--hop", "N", settings.hop, "Start a frame every N samples [" + hop + "]");
  add_window(app, settings.window);
  add_count(app, "--channel", "N", settings.channel,
            "Read channel N of a stereo file only, counted from 1 (imago channel cuts frequencies) "
            "[all]");
  add_planning(app, settings.options);
  add_explain(app, settings.explain);
  add_device(app, settings.device);
  add_json(app, settings.json);
}

std::string extension(const std::string& path) {
  return path == formats::kStandard ? ".npy" : formats::ending_of(base::path_of(path));
}

void require_sense_of_outputs(const std::vector<std::string>& outputs, const std::string& file,
                              const std::vector<std::string>& endings) {
  for (const std::string& output : outputs) {
    require_not_input(output, file);
    require_ending("--output", output, endings);
    if (std::count(outputs.begin(), outputs.end(), output) > 1)
      throw Misuse("--output names " + output + " twice");
  }
}

std::unique_ptr<formats::Recording> open_recording(const StftSettings& settings) {
  return formats::named(formats::input_name(settings.file), [&] {
    return formats::open_recording(std::make_shared<formats::InputFile>(settings.file),
                                   base::path_of(settings.file), settings.recording);
  });
}

StftReport begin_report(const StftSettings& settings, const Session& session, StftTask task) {
  StftReport report;
  report.file = formats::input_name(settings.file);
  report.facts = facts_of(session.device, settings.options);
  report.task = std::move(task);
  report.explain = settings.explain;
  report.view = settings.view;
  report.waterfall = settings.waterfall;
  report.outputs = settings.outputs;
  return report;
}

Report head_of(const StftReport& found, const std::string& lost) {
  const StftTask& task = found.task;
  Report report;
  report.row("{}: {}", Field::plain("file", found.file), Field::plain("input", task.about));
  report.line("device", "{}", field_of(found.facts));
  report.line("frames", "{} of {} samples, hop {}, window {}: {} apart",
              Field::plain("frames", task.frames), Field::plain("frame", task.framing.length),
              Field::plain("hop", task.framing.hop), Field::plain("window", word(task.window)),
              distances(task));
  if (const std::string note = note_of(found, lost); !note.empty()) report.line("note", "{}", note);
  report.value("not_finite", {{"samples", found.lost_samples}, {"frames", found.lost_frames}});
  report.value("bins", task.bins());
  report.value("plan", found.plan);
  if (found.explain) report.lines("plan", lines_of(found.plan));
  report.line("time", "{} (first call {})", Field::seconds("seconds/calls", found.seconds),
              Field::seconds("seconds/first_call", found.first_seconds));
  if (task.in_hertz()) report.value("rate", *task.recording.rate);
  if (task.recording.complex) report.value("centre", task.recording.centre);
  for (const std::size_t channel : task.channels) report.json["channels"].push_back(channel + 1);
  return report;
}

void print(Report report, const StftReport& found, bool json) {
  const auto& outputs = found.outputs;
  for (const std::string& output : outputs)
    report.line("written", "{}{}", formats::output_name(output),
                was_there(found, output) ? ", which replaces a file" : "");
  report.value("outputs", outputs);
  report.value("replaced", found.replaced);
  const bool pipes = std::count(outputs.begin(), outputs.end(), formats::kStandard) > 0;
  report.print(json, pipes ? stderr : stdout);
}

std::string subtitle_of(const StftTask& task) {
  std::string text = task.in_hertz() ? fmt::format("{} Hz, ", *task.recording.rate) : "";
  return text + fmt::format("{} of {} samples, hop {}, window {}", counted(task.frames, "frame"),
                            task.framing.length, task.framing.hop, word(task.window));
}

}  // namespace imago::command
