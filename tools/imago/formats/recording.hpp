// This file reads recordings of every format that libsndfile knows: WAV, RF64, AIFF, FLAC, Ogg, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "formats/byte_source.hpp"
#include "formats/format_error.hpp"
#include "formats/input_file.hpp"

namespace imago::formats {

/// Returns the bytes of a file, which must outlive the result.
ByteSource bytes_of(InputFile& file);

/// An open recording; the channels of a moment are interleaved.
class Recording {
 public:
  /// Throws UnknownFormat if libsndfile does not know the format, and FormatError for damaged files
  /// and for files without samples.
  explicit Recording(ByteSource source);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  unsigned rate() const { return rate_; }  ///< samples per second
  std::size_t channels() const { return channels_; }
  std::uint64_t frames() const { return frames_; }  ///< number of moments, at least one
  bool short_samples() const { return short_; }     ///< 16 bits hold every sample
  bool double_samples() const { return double_; }   ///< the file stores double precision
  /// Returns for example "Signed 16 bit PCM, 48000 Hz, 1 channel, 68545 samples (1.43 s)".
  std::string about() const;

  /// Reads `count` moments starting at `first`, which must exist. Full scale is 1, for integers
  /// 2^15. Throws FormatError if the file ends earlier.
  void read(std::uint64_t first, std::uint64_t count, float* samples);
  void read(std::uint64_t first, std::uint64_t count, double* samples);
  void read(std::uint64_t first, std::uint64_t count, std::int16_t* samples);

 private:
  struct File;
  std::uint64_t count_frames();
  template <class Sample, class Read>
  void read_all(std::uint64_t first, std::uint64_t count, Sample* samples, Read read);

  std::unique_ptr<File> file_;
  unsigned rate_ = 0;
  std::size_t channels_ = 0;
  std::uint64_t frames_ = 0, position_ = 0;
  bool short_ = false, double_ = false;
  std::string encoding_, note_;  ///< `note_` is about a wrong header; empty: none
};

}  // namespace imago::formats
