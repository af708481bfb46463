// This file prints the report of `imago spectrogram`.
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

/// The parameters of a computation.
struct SpectrogramTask {
  std::string about;  ///< the recording
  double rate = 0;
  std::size_t samples = 0, all_channels = 0;
  bool short_samples = false;
  Framing framing;
  std::size_t span = 0, frames = 0;
  std::vector<std::size_t> channels;  ///< counted from 0
  std::size_t bins() const { return framing.length / 2 + 1; }
  /// Returns the frequency of a fractional bin.
  double hertz(double bin) const { return bin * rate / static_cast<double>(framing.length); }
  /// Returns the time at the middle of a frame.
  double moment(std::size_t frame) const {
    return (static_cast<double>(frame * framing.hop) + static_cast<double>(framing.length) / 2) /
           rate;
  }
};

/// The contents of the report.
struct SpectrogramReport {
  std::string file, plan;
  device::Facts facts;
  SpectrogramTask task;
  Window window = Window::hann;
  double first_seconds = 0, seconds = 0;  ///< times of the first call, and of the others
  LevelMap::Loudest loudest{-std::numeric_limits<double>::infinity()};
  std::size_t loudest_channel = 0;
  std::size_t lost_samples = 0, lost_frames = 0;  ///< not finite, over all channels
  bool explain = false;                           ///< print the plan
  std::vector<std::string> outputs;
  std::vector<std::string> replaced;  ///< output files that existed before
};

std::string text_of(const SpectrogramReport& report);
nlohmann::json to_json(const SpectrogramReport& report);

}  // namespace imago::command
