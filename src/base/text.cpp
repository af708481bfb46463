// This file formats numbers for messages.
#include "base/text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace imago::base {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

std::string counted(std::uint64_t count, std::string_view one) {
  return counted(count, one, std::string(one) + "s");
}

std::string seconds_text(double seconds) {
  const char* unit = " s";
  if (seconds < 1e-3) {
    seconds *= 1e6, unit = " us";
  } else if (seconds < 1) {
    seconds *= 1e3, unit = " ms";
  }
  std::array<char, 32> digits{};
  // %.3g would write a number with more than three digits before the point with an exponent.
  std::snprintf(digits.data(), digits.size(), std::abs(seconds) < 999.5 ? "%.3g" : "%.0f", seconds);
  return digits.data() + std::string(unit);
}

}  // namespace imago::base
