// This file reads files, and what comes through pipes as if it were one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "formats/file.hpp"

namespace imago::formats {

/// How a file that is read is called in text: its path, or "standard input".
std::string input_name(const std::filesystem::path& path);

/// A file of which parts are read, in any order. What comes through a pipe is first copied, whole,
/// to a temporary file without a name, as it can be read only once. Throws FormatError with the
/// system's reason.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// So many bytes from a place on; fewer are there only if the file is shorter now, and throw.
  void read(std::uint64_t from, char* bytes, std::size_t count);

 private:
  /// The file becomes a copy of what is left of it.
  void copy();
  std::string name_;
  std::uint64_t size_ = 0;
  std::optional<base::Descriptor> file_;
};
/// All bytes of a file. Throws FormatError.
std::string read_file(const std::filesystem::path& path);
/// Bytes of memory that this process may have at most.
std::uint64_t memory_bytes();

}  // namespace imago::formats
