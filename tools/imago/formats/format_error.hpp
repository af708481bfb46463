// This file defines what the readers and writers of files throw.
#pragma once

#include <stdexcept>
#include <string>

namespace imago::formats {

/// A file cannot be read or written, or does not hold what it should: the text says why.
class FormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace imago::formats
