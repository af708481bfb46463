// This file holds an owner of an open file descriptor of the operating system.
#pragma once

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace imago::base {

/// An open file descriptor, or none. The destructor closes it, which also releases its lock.
class Descriptor {
 public:
  /// Opens a file with the flags of open(2). A new file gets the permissions `mode`, less the
  /// umask.
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0666)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  /// Opens a file by its name within an open folder.
  Descriptor(int folder, const std::string& name, int flags)
      : value_(::openat(folder, name.c_str(), flags | O_CLOEXEC)) {}
  /// Takes over a descriptor that is already open; a negative one means that opening failed.
  explicit Descriptor(int open) : value_(open) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  /// True if the file is open; if not, errno holds the reason.
  explicit operator bool() const { return value_ >= 0; }
  int get() const { return value_; }

 private:
  int value_;
};

/// Repeats a call that a signal interrupts.
template <class Call>
auto persist(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace imago::base
