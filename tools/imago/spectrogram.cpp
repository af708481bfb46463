// This file is `imago spectrogram`: it computes the levels of a recording over time and frequency,
// and draws them. The kernels of one plan read the file's samples and write decibels. Recordings of
// any length are computed and drawn in parts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/system.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "formats/npy.hpp"
#include "formats/picture.hpp"
#include "formats/raster.hpp"
#include "level_map.hpp"
#include "options.hpp"
#include "session.hpp"
#include "spectrum.hpp"
#include "stft_options.hpp"

namespace imago::command {
namespace {

constexpr std::size_t kMostPanels = 4;

struct SpectrogramReport {
  StftReport stft;
  LevelMap::Loudest loudest{-std::numeric_limits<double>::infinity()};
  std::size_t loudest_channel = 0;
};

Report report_of(const SpectrogramReport& found) {
  const StftTask& task = found.stft.task;
  const auto& loudest = found.loudest;
  const bool one = found.stft.lost_frames == 1;
  Report report =
      head_of(found.stft, fmt::format("no levels and {} grey in pictures", one ? "is" : "are"));
  if (!std::isfinite(loudest.decibels)) {  // a recording may contain only NaNs
    if (found.stft.lost_frames < task.frames * task.channels.size())
      report.line("loudest", "none: the recording is silent");
    report.value("loudest", nullptr);
    return report;
  }
  const double moment = task.moment(loudest.frame);
  const double frequency = task.frequencies().at(loudest.bin);
  Report level;
  level.line(
      "loudest", "{} {} at {}, {}{}", Field::number("decibels", loudest.decibels, "{:.1f}"),
      task.level_unit(),
      Field{task.in_hertz() ? "hertz" : "cycles_per_sample", frequency,
            frequency_text(frequency, task.in_hertz())},
      Field{task.in_hertz() ? "seconds" : "samples", moment,
            task.in_hertz() ? number_text(moment, 2) + " s" : fmt::format("sample {:.0f}", moment)},
      task.recording.channels > 1 ? fmt::format(", channel {}", found.loudest_channel + 1) : "");
  level.value("channel", found.loudest_channel + 1);
  report.part("loudest", std::move(level));
  return report;
}

/// Returns the default output.
std::string output_of(const StftSettings& settings) {
  const std::string name = settings.file == formats::kStandard
                               ? "standard-input"
                               : base::path_of(settings.file).stem().string();
  return name + (formats::can_draw_png() ? ".spectrogram.png" : ".spectrogram.svg");
}

void require_png(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs)
    if (extension(output) == ".png" && !formats::can_draw_png())
      throw Misuse(
          fmt::format("--output is {}: PNG needs cairo, which this imago was built without; "
                      "use .svg, .pgm or .npy",
                      output));
}

/// The .npy files, which are written as levels arrive, and the pictures, which are drawn at the
/// end.
class Files {
 public:
  Files(const std::vector<std::string>& outputs, const StftTask& task) {
    for (const std::string& output : outputs) {
      files_.push_back({output, std::make_unique<formats::OutputFile>(output)});
      if (extension(output) != ".npy") continue;
      std::vector<std::size_t> shape{task.frames, task.bins()};
      if (task.channels.size() > 1) shape.insert(shape.begin(), task.channels.size());
      files_.back().file->write(formats::npy_header(formats::Dtype::float32, shape));
    }
  }
  void add(std::span<const float> levels) {
    for (File& each : files_) {
      if (extension(each.path) == ".npy")
        each.file->write({reinterpret_cast<const char*>(levels.data()), levels.size_bytes()});
    }
  }
  void draw(const formats::SpectrogramPicture& picture) {
    for (File& each : files_) {
      const std::string kind = extension(each.path);
      if (kind == ".svg") each.file->write(formats::draw(picture));
      if (kind == ".png") each.file->write(formats::draw_png(picture));
      if (kind == ".pgm") each.file->write(pgm(picture));
    }
  }
  void commit(std::vector<std::string>& replaced) {
    for (File& each : files_) {
      each.file->commit();
      if (each.file->replaces()) replaced.push_back(each.path);
    }
  }

 private:
  struct File {
    std::string path;
    std::unique_ptr<formats::OutputFile> file;
  };
  /// Returns only the levels, from 1 to 255, with a pixel for each of the picture's; panels are one
  /// below the other. 0 means no level.
  static std::string pgm(const formats::SpectrogramPicture& picture) {
    const formats::Axis level = picture.level();
    std::string rows;
    std::size_t width = 0, height = 0;
    for (const formats::Panel& panel : picture.panels) {
      std::size_t wide = panel.decibels.size(), high = panel.decibels.at(0).size();
      if (picture.waterfall) std::swap(wide, high);
      const formats::Pixels shown = picture.pixels_of(panel, level, wide, high);
      for (const std::uint8_t index : shown.indices) rows += static_cast<char>(index + 1);
      width = shown.width;
      height += shown.height;
    }
    return fmt::format("P5\n{} {}\n255\n", width, height) + rows;
  }
  std::vector<File> files_;
};

formats::SpectrogramPicture picture_of(const StftReport& report,
                                       const std::vector<LevelMap>& maps) {
  const StftTask& task = report.task;
  const double hop = static_cast<double>(task.framing.hop) / task.recording.rate.value_or(1);
  // The column of a frame spans one hop around the middle of the frame.
  const double start = task.moment(0) - hop / 2;
  formats::SpectrogramPicture picture;
  picture.captions = captions_of(report.file, subtitle_of(task), report.facts);
  if (maps.size() < task.channels.size())
    picture.captions.subtitle +=
        fmt::format(", {} of {} channels", maps.size(), task.channels.size());
  picture.time = {start,
                  start + static_cast<double>(task.frames) * hop,
                  task.in_hertz() ? "Time (s)" : "Time (samples)",
                  charts::Scale::linear,
                  {},
                  true};
  picture.range = report.view.levels;
  picture.waterfall = report.waterfall;
  picture.frequency = frequency_axis(task.frequencies());
  picture.level_title = fmt::format("Level ({})", task.level_unit());
  for (std::size_t i = 0; i < maps.size(); ++i)
    picture.panels.push_back(maps[i].panel(task.channel_name(i)));
  return picture;
}

/// Computes the recording part by part, and writes the files.
void draw(StftRun& run, SpectrogramReport& report) {
  StftReport& stft = report.stft;
  const StftTask& task = stft.task;
  Files files(stft.outputs, task);
  const bool arrays = std::any_of(stft.outputs.begin(), stft.outputs.end(),
                                  [](const auto& path) { return extension(path) == ".npy"; });
  std::vector<LevelMap> maps;
  for (std::size_t i = 0; i < task.channels.size(); ++i) {
    if (i >= kMostPanels && !arrays) break;  // the picture has no more panels
    LevelMap map(task.frames, task.bins(), task.lobe());
    run.compute(i, [&](std::size_t frame, std::span<const float> levels, int) {
      for (std::size_t at = 0; at < levels.size(); at += task.bins())
        map.add(frame++, levels.subspan(at, task.bins()));
      files.add(levels);
    });
    stft.lost_frames += map.lost();
    if (map.loudest().decibels > report.loudest.decibels) {
      report.loudest = map.loudest();
      report.loudest_channel = task.channels[i];
    }
    if (i < kMostPanels) maps.push_back(std::move(map));
  }
  run.progress().show("Drawing");
  files.draw(picture_of(stft, maps));
  run.require_no_interrupt();
  files.commit(stft.replaced);
}

int run(StftSettings settings) {
  if (settings.outputs.empty()) settings.outputs = {output_of(settings)};
  require_sense_of_outputs(settings.outputs, settings.file, {".png", ".svg", ".pgm", ".npy"});
  require_png(settings.outputs);
  const auto recording = open_recording(settings);
  constexpr std::size_t kOverlap = 4;  // frames per sample
  StftTask task = make_stft_task(settings, *recording, kOverlap);
  const Session session = open_session(settings.device, task.precision());
  SpectrogramReport report{.stft = begin_report(settings, session, std::move(task))};
  {
    StftRun run(settings, *recording, session, report.stft, true);
    draw(run, report);
  }
  print(report_of(report), report.stft, settings.json);
  return kSuccess;
}

}  // namespace

Command spectrogram_command(CLI::App& app) {
  const auto settings = std::make_shared<StftSettings>();
  CLI::App* sub =
      app.add_subcommand("spectrogram", "Draw the spectrogram of a recording (.wav, IQ, ...)");
  add_stft(*sub, *settings, "a quarter of the frame");
  sub->add_flag("--waterfall", settings->waterfall,
                "Draw time downwards and frequencies to the right");
  named_file(sub->add_option("--output,-o", settings->outputs,
                             "Write a picture (.png, .svg, .pgm) or levels in dB (.npy, or - for "
                             "standard output); repeatable [NAME.spectrogram.png]")
                 ->expected(1)
                 ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
