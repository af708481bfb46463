// This file is `imago spectrogram`: it computes the levels of a recording over time and frequency,
// and draws them. The kernels of one plan read the file's samples and write decibels. Recordings of
// any length are computed and drawn in parts.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/integers.hpp"
#include "command.hpp"
#include "formats/file.hpp"
#include "formats/input_file.hpp"
#include "formats/npy.hpp"
#include "formats/picture.hpp"
#include "formats/raster.hpp"
#include "formats/recording.hpp"
#include "interrupt.hpp"
#include "level_map.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "spectrogram_report.hpp"
#include "stft.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

struct SpectrogramSettings {
  std::string file, device;
  std::vector<std::string> outputs;
  std::size_t frame = 1024, hop = 0;  ///< 0: a quarter of the frame
  std::size_t channel = 0;            ///< number of the channel, counted from 1; 0: all
  Window window = Window::hann;
  Options options;
  bool explain = false, json = false;
};

/// Size of the levels of a part, unless one frame needs more.
constexpr std::size_t kPartBytes = std::size_t{64} << 20;
constexpr std::size_t kMostPanels = 4;

/// Returns the extension of a path; standard output gets levels.
std::string extension(const std::string& path) {
  return path == formats::kStandard ? ".npy" : fs::path(path).extension().string();
}

/// Returns the output files; one default name if none was given.
std::vector<std::string> outputs_of(const SpectrogramSettings& settings) {
  if (!settings.outputs.empty()) return settings.outputs;
  const std::string name = settings.file == formats::kStandard
                               ? "standard-input"
                               : fs::path(settings.file).stem().string();
  return {name + (formats::can_draw_png() ? ".spectrogram.png" : ".spectrogram.svg")};
}

void require_sense_of_outputs(const std::vector<std::string>& outputs, const std::string& file) {
  for (const std::string& output : outputs) {
    std::error_code missing;
    if (fs::equivalent(output, file, missing))
      throw Misuse(output + " is the input: name another file for the result");
    const std::string kind = extension(output);
    require_ending("--output", output, {".png", ".svg", ".pgm", ".npy"});
    if (kind == ".png" && !formats::can_draw_png())
      throw Misuse(
          fmt::format("--output is {}: PNG needs cairo, which this imago was built without; "
                      "use .svg, .pgm or .npy",
                      output));
    if (std::count(outputs.begin(), outputs.end(), output) > 1)
      throw Misuse("--output names " + output + " twice");
  }
}

SpectrogramTask make_task(const SpectrogramSettings& settings,
                          const formats::Recording& recording) {
  const std::size_t samples = recording.frames(), channels = recording.channels();
  SpectrogramTask task;
  task.about = recording.about(), task.rate = recording.rate();
  task.samples = samples, task.all_channels = channels;
  task.short_samples = recording.short_samples();
  task.framing = {settings.frame, settings.hop};
  const std::size_t most = longest_frame(samples);
  if (settings.frame > most)
    throw Misuse(fmt::format("--frame is {}: {} samples allow at most {}, zero-padded",
                             settings.frame, samples, most));
  if (task.framing.hop == 0) task.framing.hop = std::max<std::size_t>(1, settings.frame / 4);
  if (task.framing.hop > settings.frame)
    throw Misuse(
        fmt::format("--hop is {}: it must be at most the frame, {}", settings.hop, settings.frame));
  if (settings.frame < 2)
    throw Misuse(fmt::format("--frame is {}: it must be at least 2 samples", settings.frame));
  if (settings.channel > channels)
    throw Misuse(fmt::format("--channel is {}: {} has channels 1 to {}", settings.channel,
                             formats::input_name(settings.file), channels));
  if (samples < 2)
    throw Failure(fmt::format("{} has {} sample: a spectrogram needs at least 2",
                              formats::input_name(settings.file), samples));
  task.span = std::min(samples, settings.frame);
  task.frames = task.framing.count(samples);
  for (std::size_t i = 0; i < channels; ++i)
    if (settings.channel == 0 || settings.channel == i + 1) task.channels.push_back(i);
  return task;
}

/// Returns the request with the number of frames per part: as many as fit kPartBytes, in parts of
/// about equal size.
StftRequest request_of(const SpectrogramTask& task, Window window) {
  const std::size_t most = std::max<std::size_t>(1, kPartBytes / (4 * task.bins()));
  const std::size_t parts = base::ceil_divide(task.frames, most);
  return {task.all_channels, task.short_samples,
          task.framing,      window,
          task.span,         base::ceil_divide(task.frames, parts)};
}

void require_memory(const Session& session, const StftRequest& request, const Options& options) {
  const Estimate estimate = imago::estimate(session.device, stft_transform(request), options);
  const device::Facts facts = facts_of(session.device, options);
  const std::uint64_t sides = estimate.signal_bytes + estimate.spectrum_bytes,
                      largest = std::max(estimate.signal_bytes, estimate.spectrum_bytes),
                      device = sides + estimate.workspace_bytes + estimate.table_bytes;
  const auto refuse = [&](std::uint64_t needed, const std::string& has) {
    throw Failure(fmt::format("frames of {} samples need {} of {}", request.framing.length,
                              bytes_text(needed), has));
  };
  if (device > facts.memory.bytes)
    refuse(device,
           fmt::format("device memory, but {} has {}", facts.name, bytes_text(facts.memory.bytes)));
  if (facts.memory.largest_buffer > 0 && largest > facts.memory.largest_buffer)
    refuse(largest, fmt::format("one buffer, but {} allows {}", facts.name,
                                bytes_text(facts.memory.largest_buffer)));
  const std::uint64_t host = 2 * sides + (facts.type == device::Type::cpu ? device : 0);
  if (host > formats::memory_bytes())
    refuse(host,
           fmt::format("memory, but this machine has {}", bytes_text(formats::memory_bytes())));
}

/// The .npy files, which are written as levels arrive, and the pictures, which are drawn at the
/// end.
class Files {
 public:
  Files(const std::vector<std::string>& outputs, const SpectrogramTask& task) {
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
    const formats::Axis level = formats::colour_axis(picture.panels, picture.level_title);
    std::string rows;
    std::size_t width = 0, height = 0;
    for (const formats::Panel& panel : picture.panels) {
      const formats::Pixels shown =
          formats::pixels(panel, level, panel.decibels.size(), panel.decibels.at(0).size());
      for (const std::uint8_t index : shown.indices) rows += static_cast<char>(index + 1);
      width = shown.width;
      height += shown.height;
    }
    return fmt::format("P5\n{} {}\n255\n", width, height) + rows;
  }
  std::vector<File> files_;
};

formats::SpectrogramPicture picture_of(const SpectrogramReport& report,
                                       const std::vector<LevelMap>& maps) {
  const SpectrogramTask& task = report.task;
  const double rate = task.rate, hop = static_cast<double>(task.framing.hop) / rate,
               high = task.hertz(static_cast<double>(task.bins() - 1));
  // The column of a frame spans one hop around the middle of the frame.
  const double start = task.moment(0) - hop / 2;
  formats::SpectrogramPicture picture;
  picture.title = fs::path(report.file).filename().string();
  picture.subtitle = fmt::format("{} Hz, {} frame{} of {} samples, hop {}, window {}", rate,
                                 task.frames, task.frames == 1 ? "" : "s", task.framing.length,
                                 task.framing.hop, word(report.window));
  if (maps.size() < task.channels.size())
    picture.subtitle += fmt::format(", {} of {} channels", maps.size(), task.channels.size());
  picture.footer = fmt::format("by imago on {}", report.facts.name);
  picture.time = {start, start + static_cast<double>(task.frames) * hop, "Time (s)"};
  picture.frequency = high < 2000 ? formats::Axis{0, high, "Frequency (Hz)"}
                                  : formats::Axis{0, high / 1000, "Frequency (kHz)"};
  picture.level_title = "Level (dBFS)";
  for (std::size_t i = 0; i < maps.size(); ++i)
    picture.panels.push_back(maps[i].panel(
        task.all_channels > 1 ? fmt::format("channel {}", task.channels[i] + 1) : ""));
  return picture;
}

/// Computes the recording part by part.
class Drawer {
 public:
  Drawer(const SpectrogramSettings& settings, formats::Recording& recording, const Session& session,
         SpectrogramReport& report)
      : recording_(recording), report_(report), task_(report.task), files_(report.outputs, task_) {
    const StftRequest request = request_of(task_, settings.window);
    require_memory(session, request, settings.options);
    const Planning planning(progress_);
    stft_.emplace(session, request, settings.options);
    report_.plan = stft_->describe();
  }

  void run() {
    const auto& interrupted = watch_interrupts();  // so that no incomplete file stays
    const bool arrays = std::any_of(report_.outputs.begin(), report_.outputs.end(),
                                    [](const auto& path) { return extension(path) == ".npy"; });
    for (std::size_t i = 0; i < task_.channels.size(); ++i) {
      if (i >= kMostPanels && !arrays) break;  // the picture has no more panels
      const double bins =
          static_cast<double>(task_.framing.length) / static_cast<double>(task_.span);
      LevelMap map(task_.frames, task_.bins(), {report_.window, bins});
      for (std::size_t frame = 0; frame < task_.frames; frame += stft_->frames()) {
        if (interrupted) throw Failure("interrupted");
        progress_.show("Transforming frames", i * task_.frames + frame,
                       task_.channels.size() * task_.frames);
        add_part(map, frame, task_.channels[i]);
      }
      report_.lost_frames += map.lost();
      if (map.loudest().decibels > report_.loudest.decibels) {
        report_.loudest = map.loudest();
        report_.loudest_channel = task_.channels[i];
      }
      if (i < kMostPanels) maps_.push_back(std::move(map));
    }
    report_.first_seconds = stft_->first_seconds();
    report_.seconds = stft_->seconds();
    progress_.show("Drawing");
    files_.draw(picture_of(report_, maps_));
    if (interrupted) throw Failure("interrupted");
    files_.commit(report_.replaced);
  }

 private:
  void add_part(LevelMap& map, std::size_t frame, std::size_t channel) {
    const std::size_t count = std::min(stft_->frames(), task_.frames - frame);
    const std::size_t first = frame * task_.framing.hop,
                      moments = std::min((count - 1) * task_.framing.hop + task_.framing.length,
                                         task_.samples - first);
    formats::named(report_.file, [&] { stft_->load(recording_, first, moments); });
    const bool last = frame + count == task_.frames;
    report_.lost_samples += stft_->not_finite(channel, last ? moments : count * task_.framing.hop);
    const std::span<const float> levels(stft_->run(channel).data(), count * stft_->bins());
    for (std::size_t i = 0; i < count; ++i)
      map.add(frame + i, levels.subspan(i * stft_->bins(), stft_->bins()));
    files_.add(levels);
  }

  formats::Recording& recording_;
  SpectrogramReport& report_;
  const SpectrogramTask& task_;
  Files files_;
  Progress progress_;
  std::optional<Stft> stft_;
  std::vector<LevelMap> maps_;
};

int run(const SpectrogramSettings& settings) {
  SpectrogramReport report;
  report.file = formats::input_name(settings.file);
  report.window = settings.window;
  report.explain = settings.explain;
  report.outputs = outputs_of(settings);
  require_sense_of_outputs(report.outputs, settings.file);
  formats::InputFile file(settings.file);
  auto recording =
      formats::named(report.file, [&] { return formats::Recording(formats::bytes_of(file)); });
  report.task = make_task(settings, recording);
  const Session session = open_session(settings.device, Precision::f32);
  report.facts = facts_of(session.device, settings.options);
  Drawer(settings, recording, session, report).run();
  const bool pipes =
      std::count(report.outputs.begin(), report.outputs.end(), formats::kStandard) > 0;
  print_report(settings.json ? dump(to_json(report)) + "\n" : text_of(report),
               pipes ? stderr : stdout);
  return kSuccess;
}

}  // namespace

Command spectrogram_command(CLI::App& app) {
  const auto settings = std::make_shared<SpectrogramSettings>();
  CLI::App* sub =
      app.add_subcommand("spectrogram", "Draw the spectrogram of a recording (.wav, ...)");
  sub->add_option("file", settings->file, "Recording of any length, or - for standard input")
      ->required();
  named_file(sub->add_option("--output,-o", settings->outputs,
                             "Write a picture (.png, .svg, .pgm) or levels in dB (.npy, or - for "
                             "standard output); repeatable [NAME.spectrogram.png]")
                 ->expected(1)
                 ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  sub->add_option("--frame", settings->frame,
                  "Compute frames of N samples, zero-padding the last one")
      ->type_name("N")
      ->capture_default_str()
      ->transform(as_count());
  sub->add_option("--hop", settings->hop, "Start a frame every N samples [a quarter of the frame]")
      ->type_name("N")
      ->transform(as_count());
  add_window(*sub, settings->window);
  sub->add_option("--channel", settings->channel, "Draw channel N only, counted from 1 [all]")
      ->type_name("N")
      ->transform(as_count());
  add_planning(*sub, settings->options);
  add_explain(*sub, settings->explain);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
