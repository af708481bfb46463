// This file owns an open file of the operating system.
#pragma once

#include <filesystem>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace imago::base {

/// Closing it also gives back its lock.
class Descriptor {
 public:
  /// Opens a file with the flags of open(2); a new one is for everybody of `mode` whom the umask
  /// allows.
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0666)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  /// The same of a name within a folder that is open.
  Descriptor(int folder, const std::string& name, int flags)
      : value_(::openat(folder, name.c_str(), flags | O_CLOEXEC)) {}
  /// One that is open already, which it owns from now on; a negative one was refused.
  explicit Descriptor(int open) : value_(open) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  /// False where it could not be opened: errno says why.
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
