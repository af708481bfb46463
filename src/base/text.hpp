// This file formats numbers for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace imago::base {

/// Returns for example "1 launch", "3 launches".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
/// Returns a count and a noun whose plural adds an s.
std::string counted(std::uint64_t count, std::string_view one);
/// Returns for example "940 us" or "12.3 ms", with three digits.
std::string seconds_text(double seconds);

}  // namespace imago::base
