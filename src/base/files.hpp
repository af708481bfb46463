// This file writes files atomically into folders that programs share. After a full disk, a killed
// program or another writer, the file is the whole old one or the whole new one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace imago::base {

/// A file under a temporary name next to `path` ("<path>.<number>.tmp"). A commit renames it to
/// `path` and replaces an existing file; without a commit the destructor removes it.
class NewFile {
 public:
  /// Creates the file with the permissions `mode`, less the umask.
  explicit NewFile(const std::filesystem::path& path, unsigned mode = 0666);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  /// Commits, and also flushes the contents and the name to the disk.
  void commit_to_disk();
  /// Returns errno of the first call that failed, or 0 if none did. Calls after a failure do
  /// nothing.
  int error() const { return error_; }

 private:
  std::filesystem::path path_, temporary_;
  Descriptor file_;
  int error_ = 0;
  bool committed_ = false;
};

/// Removes temporary files whose names begin with `prefix` and that killed writers left in a folder
/// more than an hour ago (or, if the clock was set back, in the future).
void remove_stale(const std::filesystem::path& folder, std::string_view prefix = {});

}  // namespace imago::base
