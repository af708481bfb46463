// This file writes times for the log, and limits waits.
#include "base/stopwatch.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace imago::base {

std::string milliseconds(double seconds) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << 1e3 * seconds << " ms";
  return text.str();
}

std::chrono::steady_clock::time_point end_of_wait(std::chrono::milliseconds most) {
  constexpr std::chrono::milliseconds kNone{0}, kYear = std::chrono::hours(365 * 24);
  return std::chrono::steady_clock::now() + std::clamp(most, kNone, kYear);
}

}  // namespace imago::base
