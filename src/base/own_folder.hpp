// This file reads files that must be nobody else's, or the system's: what lies in a folder that
// others can write, or belongs to them, is not given out, and what is no ordinary file neither
// stops nor fills a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace imago::base {

/// Whose a folder and its files may be.
enum class Owner { user, user_or_root };

/// A folder that is open: what happens to its name does not matter any more. It is asked anew for
/// each use, as its owner and mode may change.
class OwnFolder {
 public:
  explicit OwnFolder(const std::filesystem::path& path, Owner owner = Owner::user);
  /// It is there, the effective user's (or root's), and nobody else can write it; so is a link to
  /// it.
  explicit operator bool() const { return why_.empty() && folder_; }
  /// What is wrong; empty where nothing is, or nothing is there.
  const std::string& why() const { return why_; }
  int get() const { return folder_.get(); }
  Owner owner() const { return owner_; }

 private:
  Descriptor folder_;
  Owner owner_;
  std::string why_;
};

/// A regular file of such a folder, of an owner that the folder may have and not writable by
/// others, open for reading.
class OwnFile {
 public:
  OwnFile(const OwnFolder& folder, const std::string& name);
  /// Nothing has that name.
  bool absent() const { return absent_; }
  explicit operator bool() const { return why_.empty() && !absent_; }
  const std::string& why() const { return why_; }
  std::uint64_t size() const { return size_; }  ///< when it was opened
  /// The next bytes; fewer where the file ends or cannot be read.
  std::size_t read(char* bytes, std::size_t count);
  /// For what counts as its last use; that it fails does no harm.
  void touch();

 private:
  Descriptor file_;
  std::string why_;
  bool absent_ = false;
  std::uint64_t size_ = 0;
};

/// Makes a folder that only the user can open, and those above it as the umask says. The code of
/// what failed, 0 where nothing did or it is there.
int make_own_folder(const std::filesystem::path& path);

}  // namespace imago::base
