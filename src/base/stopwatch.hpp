// This file measures times for the log, and limits waits.
#pragma once

#include <chrono>
#include <string>

namespace imago::base {

/// Measures the time since its construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Returns for example "12.3 ms".
std::string milliseconds(double seconds);

/// Returns the end of a wait that begins now. It is at most a year away, because a clock's count
/// overflows after 292 years.
std::chrono::steady_clock::time_point end_of_wait(std::chrono::milliseconds most);

}  // namespace imago::base
