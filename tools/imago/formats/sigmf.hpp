// This file reads the descriptions of SigMF recordings (Signal Metadata Format 1.2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/file.hpp"
#include "formats/raw_recording.hpp"

namespace imago::formats {

/// The contents of a .sigmf-meta file. Files of other programs (non-conforming datasets) have
/// another name, and bytes around their samples.
struct Sigmf {
  RawLayout layout;
  std::string dataset;  ///< name of the file with the samples; empty: that of the metadata
  /// Bytes before the sample of this number, which are none.
  struct Header {
    std::uint64_t sample = 0, bytes = 0;
  };
  std::vector<Header> headers;  ///< in the order of the samples
  std::uint64_t trailing_bytes = 0;
};

/// Returns the contents of a .sigmf-meta file. Throws FormatError if it is damaged, with the line
/// and the column, or if imago cannot read such recordings.
Sigmf parse_sigmf(const std::string& meta);

/// Returns only the samples of a file.
ByteSource samples_of(ByteSource file, const Sigmf& description);

/// The endings of the two files of a recording.
inline constexpr std::string_view kSigmfMeta = ".sigmf-meta", kSigmfData = ".sigmf-data";
/// Opens a recording by either file.
std::unique_ptr<Recording> open_sigmf(ByteSource file, const std::filesystem::path& path);
/// Opens the recording of a .sigmf archive, which must have one.
std::unique_ptr<Recording> open_sigmf_archive(ByteSource file, const std::filesystem::path& path);

}  // namespace imago::formats
