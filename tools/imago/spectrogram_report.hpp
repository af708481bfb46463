// This file prints the report of `imago spectrogram`.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "level_map.hpp"
#include "stft_task.hpp"

namespace imago::command {

/// The contents of the report.
struct SpectrogramReport {
  StftReport stft;
  LevelMap::Loudest loudest{-std::numeric_limits<double>::infinity()};
  std::size_t loudest_channel = 0;
};

std::string text_of(const SpectrogramReport& report);
nlohmann::json to_json(const SpectrogramReport& report);

}  // namespace imago::command
