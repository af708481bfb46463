// This file reads recordings: RIFF WAVE with PCM samples of 8, 16, 24 or 32 bits or floating-point
// samples of 32 or 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "formats/format_error.hpp"

namespace imago::formats {

/// What a recording is, and where its samples lie in the file: the channels of a moment side by
/// side.
struct WavHeader {
  unsigned rate = 0;  ///< samples per second
  std::size_t channels = 0;
  unsigned bits = 0;             ///< of a sample in the file
  bool floating = false;         ///< its samples are floating-point numbers in the file
  std::uint64_t data_start = 0;  ///< in bytes
  std::uint64_t data_bytes = 0;  ///< of whole moments
  std::size_t moment_bytes() const { return channels * (bits / 8); }
  std::size_t frames() const { return data_bytes / moment_bytes(); }
};

struct Wav : WavHeader {
  std::vector<double> samples;  ///< full scale is 1
};

/// Reads so many bytes of a file from a place on.
using ReadBytes = std::function<void(std::uint64_t from, char* bytes, std::size_t count)>;

/// Of a file of `size` bytes, of which a few are read. Throws FormatError for another format, for
/// damaged or truncated data and for no samples.
WavHeader read_wav_header(std::uint64_t size, const ReadBytes& read);
/// Throws as read_wav_header() does.
Wav parse_wav(std::string_view bytes);
/// Whole samples of the file as numbers; full scale is 1.
void to_numbers(const WavHeader& header, std::string_view bytes, float* numbers);

}  // namespace imago::formats
