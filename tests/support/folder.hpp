// This file gives a test a temporary folder, which no other user can write; it is removed at the
// end.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace imago::test {

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("imago-test-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      found.push_back(entry.path());
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace imago::test
