// This file lists the formats of files, and opens recordings of all kinds: sound files, raw samples
// and SigMF recordings.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/file.hpp"
#include "formats/raw_recording.hpp"
#include "formats/recording.hpp"

namespace imago::formats {

/// A format that files show by their first bytes, or else by the ending of their names.
struct Format {
  std::string_view magic = {};   ///< the first bytes; empty: the ending decides
  std::string_view form = {};    ///< the bytes from 8 to 12, if they matter
  std::string_view ending = {};  ///< in small letters
  /// Names the format in messages if --format contradicts it; empty: raw samples may look like it.
  std::string_view name = {};
  std::string_view help = {};  ///< the ending, if help texts list it as an example
  bool array = false;          ///< true if the file is no recording but an array
  /// Opens a recording, or throws FormatError with the reason.
  std::unique_ptr<Recording> (*open)(ByteSource file, const std::filesystem::path& path) = nullptr;

  bool fits(std::string_view head, const std::filesystem::path& path) const;
};

std::span<const Format> all_formats();
/// Returns the first format that fits; null if there is none. libsndfile reads others.
const Format* format_of(std::string_view head, const std::filesystem::path& path);
/// Returns the endings for help texts: ".wav, ...".
std::string endings_text();

/// The user's description of a recording, for what its file does not contain.
struct RecordingOptions {
  std::optional<RawFormat> format = {};  ///< for raw samples
  std::optional<double> rate = {}, centre = {};
  std::optional<double> start = {}, duration = {};  ///< the part to read, in seconds; not set: all
  bool iq = false;                                  ///< two channels are I and Q
};

/// Returns the centre frequency, or 0 if the user gave none. Throws FormatError if the samples have
/// none, or if their rate is unknown.
double centre_of(const RecordingOptions& options, bool complex, const std::optional<double>& rate);

/// The moments of a part.
struct Section {
  std::uint64_t first = 0, count = 0;
};
/// Returns the part to read of `moments` moments. Throws FormatError if there is none, or if the
/// rate is unknown.
Section section_of(const RecordingOptions& options, const std::optional<double>& rate,
                   std::uint64_t moments);

/// Opens a recording at a path, by the table of formats. Throws FormatError.
std::unique_ptr<Recording> open_recording(std::shared_ptr<InputFile> file,
                                          const std::filesystem::path& path,
                                          const RecordingOptions& options);

}  // namespace imago::formats
