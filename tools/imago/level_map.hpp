// This file makes a picture's few moments and frequencies of a spectrogram of any size, a frame at
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
  /// Frames come in any order, each once. One that is not finite has no levels.
  void add(std::size_t frame, std::span<const float> decibels);
  /// The largest levels of neighbours; NaN where one has none.
  formats::Panel panel(const std::string& name) const;

  /// A sinusoid, between bins.
  struct Loudest {
    double decibels = 0;
    std::size_t frame = 0;
    double bin = 0;
  };
  const Loudest& loudest() const { return loudest_; }
  std::size_t lost() const { return lost_; }  ///< frames without levels

 private:
  void look_for_loudest(std::size_t frame, std::span<const float> decibels);

  std::size_t frames_, lost_ = 0;
  Lobe lobe_;
  float highest_;
  Loudest loudest_;
  std::vector<std::vector<float>> moments_;
};

}  // namespace imago::command
