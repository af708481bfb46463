// This file reads files only if they belong to the user or the system. It rejects folders that
// other users own or can write. It also rejects anything but regular files, so that a pipe or
// device cannot block a program or fill its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace imago::base {

/// The allowed owners of a folder and its files. `root` is the system: on Windows, also its
/// administrators.
enum class Owner { user, user_or_root };

/// An open folder; a later rename of its path has no effect. Open it anew for each use, because its
/// owner and mode may change.
class OwnFolder {
 public:
  explicit OwnFolder(const std::filesystem::path& path, Owner owner = Owner::user);
  /// True if the folder exists, belongs to the effective user (or root, if allowed) and nobody else
  /// can write it. A link to it must have an allowed owner, too.
  explicit operator bool() const { return why_.empty() && folder_; }
  /// Returns the problem; empty if there is none or if the folder does not exist.
  const std::string& why() const { return why_; }
  int get() const { return folder_.get(); }
  const std::filesystem::path& path() const { return path_; }
  Owner owner() const { return owner_; }

 private:
  std::filesystem::path path_;
  Descriptor folder_;
  Owner owner_;
  std::string why_;
};

/// A regular file of such a folder, open for reading. Its owner must be an allowed one, and other
/// users cannot write it.
class OwnFile {
 public:
  OwnFile(const OwnFolder& folder, const std::string& name);
  /// True if no file has that name.
  bool absent() const { return absent_; }
  explicit operator bool() const { return why_.empty() && !absent_; }
  const std::string& why() const { return why_; }
  std::uint64_t size() const { return size_; }  ///< in bytes, when it was opened
  /// Reads the next bytes and returns their number, which is smaller at the end of the file or
  /// after an error.
  std::size_t read(char* bytes, std::size_t count);
  /// Sets the time of the last use; a failure does no harm.
  void touch();

 private:
  Descriptor file_;
  std::string why_;
  bool absent_ = false;
  std::uint64_t size_ = 0;
};

/// Makes a folder that only the user can open, and its missing parents as the umask allows. Returns
/// errno of the failure, or 0 if the folder exists now.
int make_own_folder(const std::filesystem::path& path);

}  // namespace imago::base
