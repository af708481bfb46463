// This file reads files, and pipes as if they were files, and writes files atomically.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
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
  /// Replaces the first bytes of a file. Standard output keeps what it has.
  void replace_start(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;  ///< empty for standard output
  std::ofstream stream_;
  bool replaces_ = false;
};

/// Writes a file atomically, or to standard output.
void write_file(const std::string& path, std::string_view bytes);

/// Returns the name of an input file, a path or UTF-8, for messages: its path, or "standard input".
std::string input_name(const std::filesystem::path& path);
std::string input_name(const std::string& path);

/// A file whose parts are read in any order. A pipe can be read only once, so its contents are
/// first copied to an unnamed temporary file. Throws FormatError with the system's reason.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  /// Opens a file by its name in UTF-8, for example an argument of the command.
  explicit InputFile(const std::string& path);
  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// Reads `count` bytes starting at `from`. Throws if there are fewer, which means that the file
  /// is shorter now.
  void read(std::uint64_t from, char* bytes, std::size_t count);

 private:
  /// Replaces the file by a copy of its unread rest.
  void copy();
  std::string name_;
  std::uint64_t size_ = 0;
  std::optional<base::Descriptor> file_;
};

/// Bytes that are read in any order, such as those of a recording.
struct ByteSource {
  std::uint64_t size = 0;
  /// Reads `count` bytes starting at `from`; throws if that fails.
  std::function<void(std::uint64_t from, char* bytes, std::size_t count)> read;
};
/// Returns the bytes of a file, which the result owns.
ByteSource bytes_of(std::shared_ptr<InputFile> file);
/// Returns bytes in memory, which must outlive the result.
ByteSource bytes_of(const std::string& bytes);

/// Returns all bytes of a file, whose name is a path or UTF-8. Throws FormatError.
std::string read_file(const std::filesystem::path& path);
std::string read_file(const std::string& path);

}  // namespace imago::formats
