// This file reads recordings of every format that libsndfile knows: WAV, RF64, AIFF, FLAC, Ogg, ...
#pragma once

#include <memory>

#include "formats/file.hpp"
#include "formats/recording.hpp"

namespace imago::formats {

class SoundFile : public Recording {
 public:
  /// Throws UnknownFormat if libsndfile does not know the format, and FormatError for damaged files
  /// and for files without samples.
  explicit SoundFile(ByteSource source);
  ~SoundFile() override;

  /// Integers have a full scale of 2^15.
  void read(std::uint64_t first, std::uint64_t count, float* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, double* numbers) override;
  void read(std::uint64_t first, std::uint64_t count, std::int16_t* numbers) override;

 private:
  struct File;
  std::uint64_t count_frames();
  template <class Sample, class Read>
  void read_all(std::uint64_t first, std::uint64_t count, Sample* samples, Read read);

  std::unique_ptr<File> file_;
  std::uint64_t position_ = 0;
};

}  // namespace imago::formats
