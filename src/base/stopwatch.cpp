// This file writes times for the log.
#include "base/stopwatch.hpp"

#include <iomanip>
#include <sstream>

namespace imago::base {

std::string milliseconds(double seconds) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << 1e3 * seconds << " ms";
  return text.str();
}

}  // namespace imago::base
