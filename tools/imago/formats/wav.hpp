// This file reads recordings: RIFF WAVE with PCM samples of 8, 16, 24 or 32 bits or floating-point
// samples of 32 or 64 bits.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/format_error.hpp"

namespace imago::formats {

struct Wav {
  unsigned rate = 0;  ///< samples per second
  std::size_t channels = 0;
  unsigned bits = 0;            ///< of a sample in the file
  bool floating = false;        ///< its samples are floating-point numbers in the file
  std::vector<double> samples;  ///< full scale is 1; the channels of a moment side by side
  std::size_t frames() const { return samples.size() / channels; }
};

/// Throws FormatError for another format, for damaged or truncated data and for no samples.
Wav parse_wav(std::string_view bytes);

}  // namespace imago::formats
