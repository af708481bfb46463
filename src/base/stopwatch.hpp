// This file measures how long something took, for the log.
#pragma once

#include <chrono>
#include <string>

namespace imago::base {

/// Runs from when it is made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// "12.3 ms".
std::string milliseconds(double seconds);

}  // namespace imago::base
