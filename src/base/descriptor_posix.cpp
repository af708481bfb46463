// This file implements Descriptor with POSIX.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/descriptor.hpp"
#include "base/persist.hpp"

namespace imago::base {
namespace {

int flags_of(Open open) {
  switch (open) {
    case Open::read:
      return O_RDONLY;
    case Open::read_file:
      return O_RDONLY | O_NONBLOCK | O_NOCTTY;
    case Open::update:
      return O_RDWR | O_CREAT;
    case Open::create:
      break;
  }
  return O_WRONLY | O_CREAT | O_EXCL;
}

}  // namespace

Descriptor::Descriptor(const std::filesystem::path& path, Open open, unsigned mode)
    : value_(::open(path.c_str(), flags_of(open) | O_CLOEXEC, static_cast<mode_t>(mode))) {}

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

int Descriptor::standard_input() { return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0); }

int Descriptor::standard_output() { return ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); }

int Descriptor::nameless(const std::filesystem::path& folder) {
  std::string name = (folder / "imago-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

int Descriptor::duplicate() const { return ::fcntl(value_, F_DUPFD_CLOEXEC, 0); }

std::optional<FileFacts> Descriptor::facts() const {
  struct stat about {};
  if (::fstat(value_, &about) != 0) return std::nullopt;
  return FileFacts{S_ISREG(about.st_mode), S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode),
                   static_cast<std::uint64_t>(about.st_size)};
}

bool Descriptor::at_start() const { return ::lseek(value_, 0, SEEK_CUR) == 0; }

std::ptrdiff_t Descriptor::read(char* bytes, std::size_t count) const {
  return persist([&] { return ::read(value_, bytes, count); });
}

std::ptrdiff_t Descriptor::read_at(std::uint64_t from, char* bytes, std::size_t count) const {
  return persist([&] { return ::pread(value_, bytes, count, static_cast<off_t>(from)); });
}

bool Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto done = persist([&] { return ::write(value_, bytes.data(), bytes.size()); });
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

bool Descriptor::flush() const {
  return persist([&] { return ::fsync(value_); }) == 0 || errno == EINVAL;
}

bool Descriptor::lock() const {
  return persist([&] { return ::flock(value_, LOCK_EX); }) == 0;
}

}  // namespace imago::base
