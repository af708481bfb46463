// This file lists the files of a tar archive (POSIX.1-2001, "ustar Interchange Format" and "pax
// Header Block"; GNU's long names and sizes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/file.hpp"

namespace imago::formats {

/// A regular file of an archive.
struct TarFile {
  std::string name;
  std::uint64_t from = 0, size = 0;  ///< place of the contents in the archive, in bytes
};

/// Returns the regular files of an archive. Throws FormatError if it is none, or is cut short.
std::vector<TarFile> tar_files(const ByteSource& archive);

}  // namespace imago::formats
