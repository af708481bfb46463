// This file implements atomic writing of files.
#include "formats/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

/// Returns false if not all bytes could be written.
bool write_to_standard(std::string_view bytes) {
  while (!bytes.empty()) {
    errno = 0;
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) return false;
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace

std::string output_name(const std::string& path) {
  return path == kStandard ? "standard output" : path;
}

OutputFile::OutputFile(const fs::path& path) {
  if (path == kStandard) return;
  std::error_code error;
  path_ = fs::weakly_canonical(path, error);  // resolves a link: the link stays, and its target is
                                              // replaced
  if (error) fail(path, "cannot be written: " + error.message());
  replaces_ = fs::exists(path_);
  if (replaces_ && !fs::is_regular_file(path_))
    fail(path, "cannot be written: it exists and is not a regular file");
  temporary_ = path_;
  temporary_ += ".part" + std::to_string(getpid());
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path, "cannot be written: " + reason());
}

OutputFile::~OutputFile() {
  std::error_code ignored;  // after commit() there is nothing to remove
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view bytes) {
  if (path_.empty()) {
    if (!write_to_standard(bytes)) fail("standard output", "cannot be written: " + reason());
    return;
  }
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) fail(path_, "cannot be written: " + reason());
}

void OutputFile::commit() {
  if (path_.empty()) return;
  errno = 0;
  stream_.close();
  if (!stream_) fail(path_, "cannot be written: " + reason());
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) fail(path_, "cannot be written: " + error.message());
  temporary_.clear();
}

}  // namespace imago::formats
