// This file implements temporary folders with Windows. A folder in use contains an open file that
// nobody else can remove.
#include "temporary_folder.hpp"

#include <fmt/format.h>

#include <random>
#include <system_error>

#include "base/windows.hpp"
#include "command.hpp"

namespace imago::command {
namespace {

namespace fs = std::filesystem;

constexpr const wchar_t* kInUse = L"in_use";

/// Removes the folders of this prefix that no process uses.
void remove_all_stale(const fs::path& folder, const std::string& beginning) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const bool ours = entry.path().filename().string().starts_with(beginning);
    if (ours && ::DeleteFileW((entry.path() / kInUse).c_str()))
      fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

struct TemporaryFolder::Lock {
  base::Handle file;
};

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  const fs::path parent = fs::temp_directory_path();
  remove_all_stale(parent, prefix + "-");
  std::error_code error;
  std::random_device random;
  do {
    path_ = parent / fmt::format("{}-{:08x}", prefix, random());
  } while (!fs::create_directory(path_, error) && !error);
  if (error) throw Failure(fmt::format("{} cannot be made: {}", path_.string(), error.message()));
  const HANDLE file = ::CreateFileW((path_ / kInUse).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
  lock_ = std::make_unique<Lock>();
  if (file != INVALID_HANDLE_VALUE) lock_->file.reset(file);
}

TemporaryFolder::~TemporaryFolder() {
  lock_.reset();  // Windows removes no file that is open
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace imago::command
