// This file implements the reading of files and pipes.
#include "formats/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

/// Returns the descriptor of a new unnamed temporary file.
int nameless(const fs::path& folder) {
  std::string name = (folder / "imago-input-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = base::persist([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

/// Throws unless the path can be opened without waiting for ever, and can be read.
void require_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail(path, "there is no such file");
  if (error) fail(path, error.message());
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    fail(path, "is neither a regular file nor a pipe");
}

}  // namespace

std::string input_name(const fs::path& path) {
  return path == kStandard ? "standard input" : path.string();
}

InputFile::InputFile(const fs::path& path) : name_(input_name(path)) {
  if (path == kStandard) {
    file_.emplace(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  } else {
    require_file(path);
    file_.emplace(path, O_RDONLY);
  }
  if (!*file_) fail(name_, "cannot be opened: " + reason());
  struct stat about {};
  if (::fstat(file_->get(), &about) != 0) fail(name_, reason());
  const bool pipe = S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode);
  if (!pipe && !S_ISREG(about.st_mode)) fail(name_, "is neither a regular file nor a pipe");
  if (pipe || ::lseek(file_->get(), 0, SEEK_CUR) != 0)
    copy();
  else
    size_ = static_cast<std::uint64_t>(about.st_size);
}

void InputFile::copy() {
  std::error_code ignored;
  const fs::path folder = fs::temp_directory_path(ignored);
  const auto cannot_keep = [&] {
    fail(name_, "cannot be kept in " + folder.string() + ": " + reason());
  };
  const base::Descriptor whole(nameless(folder));
  if (!whole) cannot_keep();
  std::string part(std::size_t{1} << 16, '\0');
  for (;;) {
    const auto got = base::persist([&] { return ::read(file_->get(), part.data(), part.size()); });
    if (got < 0) fail(name_, "cannot be read: " + reason());
    if (got == 0) break;
    const auto count = static_cast<std::size_t>(got);
    if (!write_all(whole.get(), std::string_view(part).substr(0, count))) cannot_keep();
    size_ += count;
  }
  file_.emplace(::fcntl(whole.get(), F_DUPFD_CLOEXEC, 0));
}

void InputFile::read(std::uint64_t from, char* bytes, std::size_t count) {
  while (count > 0) {
    const auto got = base::persist(
        [&] { return ::pread(file_->get(), bytes, count, static_cast<off_t>(from)); });
    if (got < 0) fail(name_, "cannot be read: " + reason());
    if (got == 0) fail(name_, "cannot be read: it is shorter than it was");
    const auto done = static_cast<std::size_t>(got);
    bytes += done, count -= done, from += done;
  }
}

std::string read_file(const fs::path& path) {
  InputFile file(path);
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::uint64_t memory_bytes() {
  auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
               static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t share = 0;  // limit of a container; elsewhere the file holds "max" or does not
                            // exist
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> share) bytes = std::min(bytes, share);
  return bytes;
}

}  // namespace imago::formats
