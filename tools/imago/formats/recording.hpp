// This file reads recordings of every format that libsndfile knows: WAV, RF64, AIFF, FLAC, Ogg, ..
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "formats/byte_source.hpp"
#include "formats/format_error.hpp"
#include "formats/input_file.hpp"

namespace imago::formats {

/// The bytes of a file, which must stay.
ByteSource bytes_of(InputFile& file);

/// A recording that is open: the channels of a moment are side by side.
class Recording {
 public:
  /// Throws UnknownFormat for what libsndfile does not know, and FormatError for damaged files and
  /// for no samples.
  explicit Recording(ByteSource source);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  unsigned rate() const { return rate_; }  ///< samples per second
  std::size_t channels() const { return channels_; }
  std::uint64_t frames() const { return frames_; }  ///< moments, at least one
  bool short_samples() const { return short_; }     ///< 16 bits hold every sample
  bool double_samples() const { return double_; }   ///< they are stored in double precision
  /// "Signed 16 bit PCM, 48000 Hz, 1 channel, 68545 samples (1.43 s)".
  std::string about() const;

  /// Moments from one on, all of which there are: full scale is 1, of integers 2^15. Throws
  /// FormatError where the file ends before.
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
  std::string encoding_, note_;  ///< a header that is wrong; empty: it is not
};

}  // namespace imago::formats
