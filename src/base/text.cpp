// This file formats numbers and foreign text for messages.
#include "base/text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace imago::base {
namespace {

/// Returns the bytes of the UTF-8 sequence at the start of a text; 0 if it is invalid. Overlong
/// forms and surrogates are invalid, because they may hide a control character.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xc2 && lead < 0xe0  ? 2
                             : lead >= 0xe0 && lead < 0xf0  ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) >> 6 != 2) return 0;
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool beyond = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || beyond ? 0 : length;
}

std::string escape_of(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

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

std::string number_text(double number, int decimals) {
  constexpr double kLargest = 1e15;  // doubles have 15 to 17 digits
  std::array<char, 64> digits{};
  const bool hidden = number != 0 && std::abs(number) < std::pow(10, -decimals);
  const bool fixed = !hidden && std::abs(number) < kLargest;
  std::snprintf(digits.data(), digits.size(), fixed ? "%.*f" : "%.*g", fixed ? decimals : 4,
                number);
  return digits.data();
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text), count = length == 0 ? 1 : length;
    const auto byte = static_cast<unsigned char>(text[0]);
    // U+0080 to U+009F are control characters, too.
    const bool control =
        byte < 0x20 || byte == 0x7f ||
        (length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    const bool escaped = (length == 0 || control) && kept.find(text[0]) == kept.npos;
    for (const char c : text.substr(0, count)) escaped ? safe += escape_of(c) : safe += c;
    text.remove_prefix(count);
  }
  return safe;
}

std::string printable_lines(std::string_view text) { return printable(text, "\n\t"); }

}  // namespace imago::base
