// This file puts numbers into sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace imago::base {

/// "1 launch", "3 launches".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
/// The same of words that take an s.
std::string counted(std::uint64_t count, std::string_view one);
/// "940 us", "12.3 ms": three digits.
std::string seconds_text(double seconds);

}  // namespace imago::base
