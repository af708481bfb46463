// This file divides a recording into frames, and computes them part by part. The commands
// `spectrogram` and `spectrum` do so.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "formats/open_recording.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "stft.hpp"

namespace imago::command {

/// The options of these commands.
struct StftSettings {
  std::string file, device;
  formats::RecordingOptions recording;
  std::vector<std::string> outputs;
  std::size_t frame = 1024, hop = 0;  ///< hop 0: the command's choice
  std::size_t channel = 0;            ///< number of the channel, counted from 1; 0: all
  Window window = Window::hann;
  View view;
  bool waterfall = false;  ///< time runs downwards in pictures
  Options options;
  bool explain = false, json = false;
};

/// The parameters of a computation.
struct StftTask {
  std::string about;  ///< the recording
  formats::RecordingInfo recording;
  Framing framing;
  Window window = Window::hann;
  std::size_t span = 0, frames = 0;
  std::vector<std::size_t> channels;  ///< counted from 0
  Bins band;                          ///< the bins that are shown

  FrequencyScale frequencies() const { return {band, recording.rate, recording.centre}; }
  std::size_t bins() const { return frequencies().bins.count(); }
  bool in_hertz() const { return recording.rate.has_value(); }
  /// Returns the time at the middle of a frame, in seconds, or in samples if the rate is unknown.
  double moment(std::size_t frame) const {
    return (static_cast<double>(recording.first + frame * framing.hop) +
            static_cast<double>(framing.length) / 2) /
           recording.rate.value_or(1);
  }
  Lobe lobe() const {
    return {window, static_cast<double>(framing.length) / static_cast<double>(span)};
  }
  /// Returns the precision of the computation.
  Precision precision() const { return recording.double_samples ? Precision::f64 : Precision::f32; }
  const char* level_unit() const { return recording.full_scale ? "dBFS" : "dB"; }
  /// Returns the name of channel number i of the result; empty if the recording has one.
  std::string channel_name(std::size_t i) const;
};

/// Makes the task; throws Misuse if the settings do not suit the recording. The hop is
/// frame / overlap if none was given.
StftTask make_stft_task(const StftSettings& settings, const formats::Recording& recording,
                        std::size_t overlap);

/// The progress and the results that the commands report.
struct StftReport {
  std::string file, plan;
  device::Facts facts;
  StftTask task;
  double first_seconds = 0, seconds = 0;          ///< times of the first call, and of the others
  std::size_t lost_samples = 0, lost_frames = 0;  ///< not finite, over all channels
  bool explain = false;                           ///< print the plan
  View view;
  bool waterfall = false;
  std::vector<std::string> outputs;
  std::vector<std::string> replaced;  ///< output files that existed before
};

/// Computes the levels of a recording.
class StftRun {
 public:
  /// Makes the plan, and writes it to the report. Throws Failure if the memory is too small. All
  /// arguments must outlive the object.
  StftRun(const StftSettings& settings, formats::Recording& recording, const Session& session,
          StftReport& report, bool decibels);

  /// Computes channel number i of the task, and calls `use` for parts of adjacent frames, with the
  /// number of the first frame and the levels of all bins; powers are in units of 4^exponent.
  /// Throws Failure after Ctrl-C.
  using Use = std::function<void(std::size_t frame, std::span<const float> levels, int exponent)>;
  void compute(std::size_t i, const Use& use);
  void require_no_interrupt() const;
  Progress& progress() { return progress_; }

 private:
  /// Loads frames of a channel, and counts samples that are not finite.
  void load(std::size_t channel, std::size_t frame, std::size_t count);

  formats::Recording& recording_;
  StftReport& report_;
  Progress progress_;
  std::optional<Stft> stft_;
  std::vector<float> band_;  ///< the levels of the bins that are shown
  const std::atomic<bool>* interrupted_ = nullptr;
};

}  // namespace imago::command
