// This file writes files that are either complete or not there.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "formats/format_error.hpp"

namespace imago::formats {

/// People's word for standard input and output.
inline constexpr const char* kStandard = "-";
/// How a file that is written is called in text: its path, or "standard output".
std::string output_name(const std::string& path);

/// A new file under a temporary name beside `path`; commit() gives it its name, replacing what was
/// there, and without it nothing is left behind. Standard output takes what is written at once.
/// Throws FormatError.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool replaces() const { return replaces_; }  ///< there was a file of that name
  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;  ///< empty: standard output
  std::ofstream stream_;
  bool replaces_ = false;
};

}  // namespace imago::formats
