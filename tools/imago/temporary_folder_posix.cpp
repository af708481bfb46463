// This file implements temporary folders with POSIX. A folder in use is locked (flock). This also
// works between containers that share /tmp, in which process ids are meaningless.
#include "temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "command.hpp"

namespace imago::command {
namespace {

/// Removes a folder of this user that no process uses.
void remove_stale(const std::filesystem::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  struct stat status {};
  const bool ours = fstat(folder, &status) == 0 && status.st_uid == geteuid();
  std::error_code ignored;
  if (ours && flock(folder, LOCK_EX | LOCK_NB) == 0) std::filesystem::remove_all(path, ignored);
  close(folder);
}

void remove_all_stale(const std::filesystem::path& folder, const std::string& beginning) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(beginning)) remove_stale(entry.path());
  }
}

/// Makes a folder and locks it. Returns nullptr if another process considered the folder stale
/// before it was locked.
std::unique_ptr<base::Descriptor> made(const std::string& pattern, std::filesystem::path& path) {
  std::string name = pattern;
  if (!mkdtemp(name.data()))
    throw Failure(fmt::format("{} cannot be made: {}", pattern, std::strerror(errno)));
  path = name;
  auto folder =
      std::make_unique<base::Descriptor>(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!*folder) return folder;
  flock(folder->get(), LOCK_EX);  // without locks, no folder counts as stale either
  struct stat status {};
  const bool gone = fstat(folder->get(), &status) == 0 && status.st_nlink == 0;
  return gone ? nullptr : std::move(folder);
}

}  // namespace

struct TemporaryFolder::Lock {
  std::unique_ptr<base::Descriptor> folder;
};

TemporaryFolder::TemporaryFolder(const std::string& prefix) : lock_(std::make_unique<Lock>()) {
  const auto parent = std::filesystem::temp_directory_path();
  remove_all_stale(parent, prefix + "-");
  const std::string pattern = (parent / (prefix + "-XXXXXX")).string();
  while (!(lock_->folder = made(pattern, path_))) {
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace imago::command
