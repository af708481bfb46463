// This file reduces a spectrogram of any size to a picture's moments and frequencies, one frame at
// a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis.hpp"
#include "formats/heat_map.hpp"

namespace imago::command {

class LevelMap {
 public:
  LevelMap(std::size_t frames, std::size_t bins, const Lobe& lobe);
  /// Adds a frame. Frames come in any order, each once. A frame with NaN or infinity has no levels;
  /// minus infinity is silence.
  void add(std::size_t frame, std::span<const float> decibels);
  /// Returns the largest of adjacent levels; NaN if one has none.
  formats::Panel panel(const std::string& name) const;

  /// The strongest sinusoid, between bins; minus infinity if all frames are silent.
  struct Loudest {
    double decibels = 0;
    std::size_t frame = 0;
    double bin = 0;
  };
  const Loudest& loudest() const { return loudest_; }
  std::size_t lost() const { return lost_; }  ///< number of frames without levels

 private:
  void look_for_loudest(std::size_t frame, std::span<const float> decibels);

  std::size_t frames_, lost_ = 0;
  Lobe lobe_;
  float highest_;
  Loudest loudest_;
  std::vector<std::vector<float>> moments_;
};

}  // namespace imago::command
