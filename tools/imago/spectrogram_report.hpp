// This file is what `imago spectrogram` says at its end.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis.hpp"
#include "device/facts.hpp"
#include "level_map.hpp"

namespace imago::command {

/// What is computed of a recording.
struct SpectrogramTask {
  std::string about;  ///< the recording
  double rate = 0;
  std::size_t samples = 0, all_channels = 0;
  bool short_samples = false;
  Framing framing;
  std::size_t span = 0, frames = 0;
  std::vector<std::size_t> channels;  ///< from 0
  std::size_t bins() const { return framing.length / 2 + 1; }
  /// The frequency of a place between bins.
  double hertz(double bin) const { return bin * rate / static_cast<double>(framing.length); }
  /// The middle of a frame.
  double moment(std::size_t frame) const {
    return (static_cast<double>(frame * framing.hop) + static_cast<double>(framing.length) / 2) /
           rate;
  }
};

/// All that the report says.
struct SpectrogramReport {
  std::string file, plan;
  device::Facts facts;
  SpectrogramTask task;
  Window window = Window::hann;
  double first_seconds = 0, seconds = 0;  ///< of calls: the first, and those that count
  LevelMap::Loudest loudest{-std::numeric_limits<double>::infinity()};
  std::size_t loudest_channel = 0;
  std::size_t lost_samples = 0, lost_frames = 0;  ///< that are not finite, over all channels
  bool explain = false;                           ///< the text has the plan
  std::vector<std::string> outputs;
  std::vector<std::string> replaced;  ///< of them, those that were there
};

std::string text_of(const SpectrogramReport& report);
nlohmann::json to_json(const SpectrogramReport& report);

}  // namespace imago::command
