// This file makes a picture's few moments and frequencies of a spectrogram of any size, a frame at
// a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "formats/heat_map.hpp"

namespace imago::command {

class LevelMap {
 public:
  LevelMap(std::size_t frames, std::size_t bins);
  /// Frames come in any order, each once.
  void add(std::size_t frame, std::span<const float> decibels);
  /// The largest levels of neighbours.
  formats::Panel panel(const std::string& name) const;

  struct Loudest {
    double decibels = 0;
    std::size_t frame = 0, bin = 0;
  };
  const Loudest& loudest() const { return loudest_; }

 private:
  std::size_t frames_;
  Loudest loudest_;
  std::vector<std::vector<float>> moments_;
};

}  // namespace imago::command
