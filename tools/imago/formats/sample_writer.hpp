// This file writes recordings: WAV files, SigMF recordings and raw samples.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/file.hpp"
#include "formats/raw_recording.hpp"

namespace imago::formats {

/// The description of a recording that is written.
struct WrittenSamples {
  RawFormat format;
  double rate = 1;    ///< samples per second
  double centre = 0;  ///< frequency of the receiver, in Hz
};

/// Returns the type of the samples that a file should have, from its name's ending, or from the
/// wish. Throws FormatError if the file can have no such samples.
RawFormat written_format(const std::string& path, const std::optional<RawFormat>& wish,
                         bool complex);

/// A recording under construction. The name's ending selects WAV (the two channels are I and Q),
/// SigMF or raw samples, which standard output gets, too. Files are written atomically. Throws
/// FormatError.
class SampleWriter {
 public:
  SampleWriter(const std::string& path, const WrittenSamples& samples);
  ~SampleWriter();

  /// Appends numbers, pairs of which are a sample if it is complex. Integers are rounded; numbers
  /// beyond full scale become the largest ones.
  void write(std::span<const double> numbers);
  /// Completes the header, and commits the files.
  void commit();

  std::uint64_t clipped() const { return clipped_; }  ///< numbers beyond full scale
  /// Returns the names of the files, and those of them that existed before.
  std::vector<std::string> paths() const;
  std::vector<std::string> replaced() const;

 private:
  bool is_wave() const;
  /// Returns the bytes before the samples of a WAV file.
  std::string wave_head() const;
  std::string sigmf_meta() const;

  struct File {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  WrittenSamples samples_;
  std::vector<File> files_;  ///< the samples, then the metadata of a SigMF recording
  std::string kind_;         ///< the ending
  std::uint64_t bytes_ = 0;  ///< number of bytes of samples
  std::uint64_t clipped_ = 0;
};

}  // namespace imago::formats
