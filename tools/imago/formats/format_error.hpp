// This file defines what the readers and writers of files throw.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace imago::formats {

/// A file cannot be read or written, or does not hold what it should: the text says why.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// No format of those that are known.
class UnknownFormat : public FormatError {
 public:
  using FormatError::FormatError;
};

/// Throws "name: what".
[[noreturn]] inline void fail(const std::string& name, const std::string& what) {
  throw FormatError(name + ": " + what);
}

/// Why the last call of the system failed: errno in words.
inline std::string reason() { return errno != 0 ? std::strerror(errno) : "input or output error"; }

/// Does `work`, and gives what it throws the name of the file: "name: is truncated".
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
