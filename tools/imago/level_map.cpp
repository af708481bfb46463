// This file reduces spectrograms to pictures.
#include "level_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imago::command {
namespace {

/// More are not visible; a smaller picture reduces them again.
constexpr std::size_t kMostMoments = 1600, kMostFrequencies = 1024;

}  // namespace

LevelMap::LevelMap(std::size_t frames, std::size_t bins, const Lobe& lobe)
    : frames_(frames),
      lobe_(lobe),
      highest_(-std::numeric_limits<float>::infinity()),
      loudest_{-std::numeric_limits<double>::infinity()},
      moments_(std::min(frames, kMostMoments),
               std::vector<float>(std::min(bins, kMostFrequencies),
                                  -std::numeric_limits<float>::infinity())) {}

void LevelMap::add(std::size_t frame, std::span<const float> decibels) {
  std::vector<float>& moment = moments_[frame * moments_.size() / frames_];
  const auto is_level = [](float level) { return level <= std::numeric_limits<float>::max(); };
  if (!std::all_of(decibels.begin(), decibels.end(), is_level)) {
    ++lost_;
    std::fill(moment.begin(), moment.end(), std::numeric_limits<float>::quiet_NaN());
    return;
  }
  look_for_loudest(frame, decibels);
  const auto merge = [&](const auto& values) {
    for (std::size_t i = 0; i < moment.size(); ++i)  // a NaN stays
      moment[i] = std::max(moment[i], static_cast<float>(values[i]));
  };
  if (decibels.size() == moment.size()) return merge(decibels);
  const std::vector<double> wide(decibels.begin(), decibels.end());
  merge(charts::largest_per_pixel(wide, moment.size()));
}

void LevelMap::look_for_loudest(std::size_t frame, std::span<const float> decibels) {
  const auto highest = std::max_element(decibels.begin(), decibels.end());
  if (*highest <= highest_) return;
  highest_ = *highest;
  const auto bin = static_cast<std::size_t>(highest - decibels.begin());
  loudest_ = {highest_, frame, static_cast<double>(bin)};
  if (bin == 0 || bin + 1 == decibels.size()) return;
  const auto amplitude = [&](std::size_t i) { return std::pow(10, (decibels[i] - highest_) / 20); };
  const Top sinusoid = top_of(amplitude(bin - 1), 1, amplitude(bin + 1), lobe_);
  loudest_.decibels += 20 * std::log10(sinusoid.factor);
  loudest_.bin += sinusoid.shift;
}

formats::Panel LevelMap::panel(const std::string& name) const {
  formats::Panel panel{name, {}};
  for (const auto& moment : moments_) panel.decibels.emplace_back(moment.begin(), moment.end());
  return panel;
}

}  // namespace imago::command
