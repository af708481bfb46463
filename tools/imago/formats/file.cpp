// This file implements reading and writing of whole files.
#include "formats/file.hpp"

#include <unistd.h>

#include <algorithm>
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

InputFile::InputFile(const fs::path& path) : path_(path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail(path, "there is no such file");
  if (error) fail(path, error.message());
  if (!fs::is_regular_file(status)) fail(path, "is not a regular file");
  errno = 0;
  stream_.open(path, std::ios::binary);
  if (!stream_) fail(path, "cannot be opened: " + reason());
  size_ = fs::file_size(path);
}

void InputFile::read(std::uint64_t from, char* bytes, std::size_t count) {
  errno = 0;
  stream_.seekg(static_cast<std::streamoff>(from));
  stream_.read(bytes, static_cast<std::streamsize>(count));
  if (!stream_) fail(path_, "cannot be read: " + reason());
}

std::string read_file(const fs::path& path, double copies) {
  InputFile file(path);
  const double needed = copies * static_cast<double>(file.size());
  if (needed > static_cast<double>(memory_bytes()))
    fail(path, "has " + std::to_string(file.size()) + " bytes, which take " +
                   std::to_string(static_cast<std::uint64_t>(needed)) +
                   " of memory, and this machine has " + std::to_string(memory_bytes()));
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::uint64_t memory_bytes() {
  auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
               static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t share = 0;  // a container's; elsewhere "max" or no such file
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> share) bytes = std::min(bytes, share);
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
