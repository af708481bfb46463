// This file is `imago spectrum`: it averages the powers of overlapping frames of a recording, and
// lists the strongest frequencies. Recordings of any length are computed in parts.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "formats/file.hpp"
#include "formats/npy.hpp"
#include "mean_power.hpp"
#include "options.hpp"
#include "session.hpp"
#include "spectrum.hpp"
#include "stft_options.hpp"

namespace imago::command {
namespace {

struct SpectrumSettings {
  StftSettings stft;
  std::size_t peaks = 5;
  std::optional<double> threshold;
};

Report report_of(const StftReport& found, const Report& strongest, double threshold,
                 std::size_t peaks) {
  Report report = head_of(
      found, found.lost_frames == 1 ? "no levels and is left out" : "no levels and are left out");
  if (strongest.text.empty() && peaks > 0)
    report.line("strongest", "no peak is {} dB above the median; --threshold lowers it",
                number_text(threshold, 1));
  report.value("threshold", threshold);
  report.append(strongest);
  return report;
}

/// Returns the threshold of peaks, by default what noise does not exceed.
double threshold_of(const SpectrumSettings& settings, const StftTask& task) {
  const auto samples = static_cast<double>((task.frames - 1) * task.framing.hop + task.span);
  return settings.threshold.value_or(
      noise_threshold(task.bins(), samples / static_cast<double>(task.span)));
}

SpectrumInfo info_of(const StftReport& report, double threshold) {
  const StftTask& task = report.task;
  SpectrumInfo info;
  info.captions = captions_of(report.file, subtitle_of(task) + ", mean power", report.facts);
  for (std::size_t i = 0; i < task.channels.size(); ++i)
    info.row_names.push_back(task.channel_name(i));
  info.framing = task.framing;
  info.real = !task.recording.complex;
  info.full_scale = task.recording.full_scale;
  info.rate = task.recording.rate;
  info.centre = task.recording.centre;
  info.lobe = task.lobe();
  info.threshold = threshold;
  info.view = report.view;
  return info;
}

/// Returns the amplitudes of each channel's bins.
Amplitudes averaged(StftRun& run, StftReport& report) {
  const StftTask& task = report.task;
  Amplitudes amplitudes;
  for (std::size_t i = 0; i < task.channels.size(); ++i) {
    MeanPower mean(task.bins());
    run.compute(i, [&](std::size_t, std::span<const float> powers, int exponent) {
      for (std::size_t at = 0; at < powers.size(); at += task.bins())
        mean.add(powers.subspan(at, task.bins()), exponent);
    });
    report.lost_frames += mean.lost();
    amplitudes.push_back(mean.amplitudes());
  }
  return amplitudes;
}

std::string npy_of(const Amplitudes& amplitudes) {
  std::vector<std::size_t> shape{amplitudes.at(0).size()};
  if (amplitudes.size() > 1) shape.insert(shape.begin(), amplitudes.size());
  std::string bytes = formats::npy_header(formats::Dtype::float32, shape);
  for (const auto& row : amplitudes)
    for (const double amplitude : row) {
      const auto level = static_cast<float>(decibels(amplitude));
      bytes.append(reinterpret_cast<const char*>(&level), sizeof level);
    }
  return bytes;
}

void write(const Amplitudes& amplitudes, const SpectrumInfo& info, const StftRun& run,
           StftReport& report) {
  std::vector<std::unique_ptr<formats::OutputFile>> files;
  for (const std::string& output : report.outputs) {
    files.push_back(std::make_unique<formats::OutputFile>(output));
    files.back()->write(extension(output) == ".npy" ? npy_of(amplitudes)
                                                    : picture(amplitudes, info));
  }
  run.require_no_interrupt();
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i]->commit();
    if (files[i]->replaces()) report.replaced.push_back(report.outputs[i]);
  }
}

int run(const SpectrumSettings& all) {
  const StftSettings& settings = all.stft;
  require_sense_of_outputs(settings.outputs, settings.file, {".svg", ".npy"});
  const auto recording = open_recording(settings);
  constexpr std::size_t kOverlap = 2;  // frames per sample
  StftTask task = make_stft_task(settings, *recording, kOverlap);
  // A last frame with zeros has less power than the others.
  const bool padded =
      (task.frames - 1) * task.framing.hop + task.framing.length > recording->info().frames;
  if (padded && task.frames > 1) --task.frames;
  const Session session = open_session(settings.device, task.precision());
  StftReport found = begin_report(settings, session, std::move(task));
  const double threshold = threshold_of(all, found.task);
  Report strongest;
  {
    StftRun run(settings, *recording, session, found, false);
    const Amplitudes amplitudes = averaged(run, found);
    const SpectrumInfo info = info_of(found, threshold);
    strongest = strongest_of(amplitudes, info, all.peaks);
    write(amplitudes, info, run, found);
  }
  print(report_of(found, strongest, threshold, all.peaks), found, settings.json);
  return kSuccess;
}

}  // namespace

Command spectrum_command(CLI::App& app) {
  const auto settings = std::make_shared<SpectrumSettings>();
  CLI::App* sub = app.add_subcommand(
      "spectrum", "Average the power spectrum of a recording; list its strongest frequencies");
  add_stft(*sub, settings->stft, "half of the frame");
  add_count(*sub, "--peaks", "N", settings->peaks, "List the N strongest frequencies", 0)
      ->capture_default_str();
  sub->add_option("--threshold", settings->threshold,
                  "List peaks N dB above the median level [what noise reaches, at least 6]")
      ->type_name("DB")
      ->transform(positive());
  named_file(sub->add_option("--output,-o", settings->stft.outputs,
                             "Write a picture (.svg) or levels in dB (.npy, or - for standard "
                             "output); repeatable")
                 ->expected(1)
                 ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
