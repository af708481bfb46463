// This file reads whole files and writes files that are either complete or not there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "formats/format_error.hpp"

namespace imago::formats {

/// All bytes of a regular file. Throws FormatError with the system's reason.
std::string read_file(const std::filesystem::path& path);

/// A new file under a temporary name beside `path`; commit() gives it its name, replacing what was
/// there, and without it nothing is left behind. Throws FormatError.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  std::ofstream stream_;
};

}  // namespace imago::formats
