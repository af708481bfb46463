// This file makes folders for what nobody needs afterwards, and clears away those of processes that
// were killed.
#pragma once

#include <filesystem>
#include <string>

namespace imago::command {

/// A new folder among the temporary ones, `<prefix>-XXXXXX`; it goes with the object. What others
/// of this prefix left behind goes now.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  bool make(const std::string& pattern);
  std::filesystem::path path_;
  int lock_ =
      -1;  ///< held as long as the folder is used: it ends with the process, however that ends
};

}  // namespace imago::command
