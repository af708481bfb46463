// This file defines the exceptions of the readers and writers of files.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace imago::formats {

/// A file cannot be read or written, or has unexpected contents; the text gives the reason.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The file has no known format.
class UnknownFormat : public FormatError {
 public:
  using FormatError::FormatError;
};

/// Throws "name: what".
[[noreturn]] inline void fail(const std::string& name, const std::string& what) {
  throw FormatError(name + ": " + what);
}

/// Returns the reason why the last system call failed, as text of errno.
inline std::string reason() { return errno != 0 ? std::strerror(errno) : "input or output error"; }

/// Runs `work`, and adds the name of the file to its exceptions: "name: is truncated".
template <class Work>
auto named(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const FormatError& error) {
    const std::string text = error.what();
    if (text.starts_with(name + ": ")) throw;
    fail(name, text);
  }
}

}  // namespace imago::formats
