// This file opens recordings of all kinds: sound files, raw samples and SigMF recordings.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "formats/byte_source.hpp"
#include "formats/input_file.hpp"
#include "formats/raw_recording.hpp"
#include "formats/recording.hpp"

namespace imago::formats {

/// The user's description of a recording, for what its file does not contain.
struct RecordingOptions {
  std::optional<RawFormat> format;  ///< for raw samples
  std::optional<double> rate, centre;
  bool iq = false;  ///< two channels are I and Q
};

/// Returns the centre frequency, or 0 if the user gave none. Throws FormatError if the samples have
/// none, or if their rate is unknown.
double centre_of(const RecordingOptions& options, bool complex, const std::optional<double>& rate);

/// Returns the bytes of a file, which the result owns.
ByteSource bytes_of(std::shared_ptr<InputFile> file);

/// Opens a recording. `path` is that of the file, and determines whether it is part of a SigMF
/// recording (NAME.sigmf-meta and NAME.sigmf-data); the contents determine the format otherwise.
/// Throws FormatError.
std::unique_ptr<Recording> open_recording(std::shared_ptr<InputFile> file,
                                          const std::filesystem::path& path,
                                          const RecordingOptions& options);

}  // namespace imago::formats
