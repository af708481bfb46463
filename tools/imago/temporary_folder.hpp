// This file makes temporary folders, and removes those of processes that were killed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace imago::command {

/// A new temporary folder, `<prefix>-XXXXXX`, which the destructor removes. The constructor removes
/// stale folders of this prefix.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  struct Lock;
  std::filesystem::path path_;
  std::unique_ptr<Lock> lock_;  ///< held while the folder is used; it ends with the process,
                                ///< however that ends
};

}  // namespace imago::command
