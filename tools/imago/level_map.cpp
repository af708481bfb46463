// This file reduces spectrograms to pictures.
#include "level_map.hpp"

#include <algorithm>
#include <limits>

namespace imago::command {
namespace {

/// More are not seen; a picture of fewer pixels reduces them once more.
constexpr std::size_t kMostMoments = 1600, kMostFrequencies = 1024;

}  // namespace

LevelMap::LevelMap(std::size_t frames, std::size_t bins)
    : frames_(frames),
      loudest_{-std::numeric_limits<double>::infinity()},
      moments_(std::min(frames, kMostMoments),
               std::vector<float>(std::min(bins, kMostFrequencies),
                                  -std::numeric_limits<float>::infinity())) {}

void LevelMap::add(std::size_t frame, std::span<const float> decibels) {
  const auto highest = std::max_element(decibels.begin(), decibels.end());
  if (*highest > loudest_.decibels)
    loudest_ = {*highest, frame, static_cast<std::size_t>(highest - decibels.begin())};
  std::vector<float>& moment = moments_[frame * moments_.size() / frames_];
  const auto merge = [&](const auto& values) {
    for (std::size_t i = 0; i < moment.size(); ++i)
      moment[i] = std::max(moment[i], static_cast<float>(values[i]));
  };
  if (decibels.size() == moment.size()) return merge(decibels);
  const std::vector<double> wide(decibels.begin(), decibels.end());
  merge(charts::largest_per_pixel(wide, moment.size()));
}

formats::Panel LevelMap::panel(const std::string& name) const {
  formats::Panel panel{name, {}};
  for (const auto& moment : moments_) panel.decibels.emplace_back(moment.begin(), moment.end());
  return panel;
}

}  // namespace imago::command
