// This file defines an open recording: the common part of sound files and files of raw samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "formats/format_error.hpp"

namespace imago::formats {

/// The properties of a recording.
struct RecordingInfo {
  std::string encoding, note;  ///< `note` is about a wrong length; empty: none
  std::string file;            ///< name of the file with the samples if the user named another
  std::optional<double> rate;  ///< samples per second, if known
  double centre = 0;           ///< for complex samples: frequency of the receiver, in Hz
  bool complex = false;        ///< a sample is two numbers, I and Q
  bool paired = false;         ///< which two channels of a sound file are
  std::size_t channels = 1;
  std::uint64_t first = 0;   ///< number of the first moment, if others of the file are left out
  std::uint64_t frames = 0;  ///< number of moments, at least one
  /// If 16-bit integers hold all numbers: the value of the integer 1.
  std::optional<double> integer_scale;
  bool double_samples = false;  ///< the file stores double precision
  bool full_scale = true;       ///< an amplitude of 1 is the maximum
  /// Returns the numbers of a moment.
  std::size_t numbers() const { return channels * (complex ? 2 : 1); }
};

/// An open recording; the channels of a moment are interleaved.
class Recording {
 public:
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  const RecordingInfo& info() const { return info_; }
  /// Returns for example "Signed 16 bit PCM, 48000 Hz, 1 channel, 68545 samples (1.43 s)".
  std::string about() const;
  /// Replace what the file says, or does not say.
  void set_rate(double rate) { info_.rate = rate; }
  void set_centre(double centre) { info_.centre = centre; }
  void set_file(const std::string& name) { info_.file = name; }
  /// Makes the two channels the parts of complex samples, I and Q; once. Throws FormatError for
  /// complex samples, and for another number of channels.
  void pair_channels();

  /// Reads `count` moments starting at `first`, which must exist. Full scale is 1. Throws
  /// FormatError if the file ends earlier.
  virtual void read(std::uint64_t first, std::uint64_t count, float* numbers) = 0;
  virtual void read(std::uint64_t first, std::uint64_t count, double* numbers) = 0;
  /// Reads integers whose unit is `integer_scale`, which must exist.
  virtual void read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) = 0;

 protected:
  Recording() = default;
  RecordingInfo info_;
};

/// A part of a recording: `frames` moments from `first` on.
class PartOfRecording : public Recording {
 public:
  PartOfRecording(std::unique_ptr<Recording> whole, std::uint64_t first, std::uint64_t frames);
  void read(std::uint64_t first, std::uint64_t count, float* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, double* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) override;

 private:
  std::unique_ptr<Recording> whole_;
};

/// The smallest and the largest rates and times: their products and quotients are finite.
inline constexpr double kLeastSize = 1e-30, kMostSize = 1e30;
constexpr bool is_moderate(double size) { return size >= kLeastSize && size <= kMostSize; }

/// Returns a frequency as text: "250.5 Hz", "100.300012 MHz".
std::string hertz_text(double hertz);

}  // namespace imago::formats
