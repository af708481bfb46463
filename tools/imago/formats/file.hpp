// This file writes files atomically.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "formats/format_error.hpp"

namespace imago::formats {

/// The usual name for standard input and output.
inline constexpr const char* kStandard = "-";
/// Returns the name of an output file for reports: its path, printable, or "standard output".
std::string output_name(const std::string& path);
/// Returns the ending of a file's name in lower case: ".npy", or an empty text.
std::string ending_of(const std::filesystem::path& path);

/// A new file under a temporary name next to `path`. commit() renames it and replaces an existing
/// file; without commit() it is removed. Standard output is written at once. Throws FormatError.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  /// Makes a file by its name in UTF-8, for example an argument of the command.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool replaces() const { return replaces_; }  ///< true if a file of that name existed
  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;  ///< empty for standard output
  std::ofstream stream_;
  bool replaces_ = false;
};

/// Writes a file atomically, or to standard output.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace imago::formats
