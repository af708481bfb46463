// This file formats numbers and foreign text for messages.
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
/// Returns a number with a fixed number of decimals, or with four digits and an exponent if that
/// would have too many digits or hide the number: "12.35", "1.2e+300", "3e-05".
std::string number_text(double number, int decimals);

/// Returns text with small letters of ASCII instead of capital ones.
std::string lower_case(std::string text);

/// Returns text of other origin (names of files, words of the user, strings of a driver) so that it
/// controls no terminal and stays on its line: a control character, or a byte that is not UTF-8,
/// becomes an escape such as \x1b or \n. Characters of `kept` stay. Printable text is unchanged.
std::string printable(std::string_view text, std::string_view kept = {});
/// Returns text of several lines so that it controls no terminal.
std::string printable_lines(std::string_view text);

}  // namespace imago::base
