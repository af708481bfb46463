// This file is for folders that programs share: whatever happens while a file is written (a full
// disk, a killed program, another writer), it is the whole old file or the whole new one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace imago::base {

/// $name/below; empty where the variable is not set or empty.
std::filesystem::path folder_from_environment(const char* name, const char* below);

/// A file under a temporary name beside `path` ("<path>.<number>.tmp"). A commit gives it its name,
/// replacing what was there; without one nothing is left behind.
class NewFile {
 public:
  /// For everybody of `mode` whom the umask allows.
  explicit NewFile(const std::filesystem::path& path, mode_t mode = 0666);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  /// The same, and both the contents and the name are on the disk then.
  void commit_to_disk();
  /// The code of the first call that failed, 0 where none did; those after it do nothing.
  int error() const { return error_; }

 private:
  void flush();

  std::filesystem::path path_, temporary_;
  Descriptor file_;
  int error_ = 0;
  bool committed_ = false;
};

/// Removes temporary files that killed writers left in a folder more than an hour ago (or, where
/// the clock was set back, in the future); those whose name begins so.
void remove_stale(const std::filesystem::path& folder, std::string_view prefix = {});

}  // namespace imago::base
