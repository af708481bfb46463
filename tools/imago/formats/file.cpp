// This file implements reading and writing of whole files.
#include "formats/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace imago::formats {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw FormatError(path.string() + ": " + what);
}
std::string reason() { return errno != 0 ? std::strerror(errno) : "input or output error"; }

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail(path, "there is no such file");
  if (error) fail(path, error.message());
  if (!fs::is_regular_file(status)) fail(path, "is not a regular file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, "cannot be opened: " + reason());
  std::string bytes(fs::file_size(path), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) fail(path, "cannot be read: " + reason());
  return bytes;
}

OutputFile::OutputFile(const fs::path& path) {
  std::error_code error;
  path_ = fs::weakly_canonical(path, error);  // a link stays, and what it leads to is replaced
  if (error) fail(path, "cannot be written: " + error.message());
  if (fs::exists(path_) && !fs::is_regular_file(path_)) {
    fail(path, "cannot be written: it is there and not a regular file");
  }
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
  errno = 0;
  stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream_) fail(path_, "cannot be written: " + reason());
}

void OutputFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_) fail(path_, "cannot be written: " + reason());
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) fail(path_, "cannot be written: " + error.message());
  temporary_.clear();
}

}  // namespace imago::formats
