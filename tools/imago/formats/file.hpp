// This file reads whole files and writes files that are either complete or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "formats/format_error.hpp"

namespace imago::formats {

/// A regular file, of which parts are read. Throws FormatError with the system's reason.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// So many bytes from a place on; fewer are there only if the file is shorter now, and throw.
  void read(std::uint64_t from, char* bytes, std::size_t count);

 private:
  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  std::ifstream stream_;
};
/// All bytes of a regular file. Throws FormatError, also for one that `copies` times are more than
/// the machine's memory.
std::string read_file(const std::filesystem::path& path, double copies = 1);
/// Bytes of memory that this process may have at most.
std::uint64_t memory_bytes();

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
