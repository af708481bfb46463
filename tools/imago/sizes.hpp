// This file parses numbers in the forms that users write: 1024, 2^20, 1e6, 2.5M, 64Ki; and shapes
// of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Validator;
}

namespace imago::command {

/// Returns an integer; nullopt if the text is none, or exceeds 64 bits.
std::optional<std::size_t> parse_size(std::string_view text);
/// Returns the number of "2.4M" (k, M, G, T: powers of 1000; Ki, Mi, Gi, Ti: of 1024), "1e6" or
/// "48000.5"; nullopt for other texts, and if it is not finite.
std::optional<double> parse_number(std::string_view text);
/// Returns the parts of a list, which are separated by commas; a single shape is a list of one.
std::vector<std::string> parse_list(const std::string& text);
/// Returns the lengths of "64x64", "64X64" or "2^6x64". Throws Misuse with `name`.
std::vector<std::size_t> parse_shape(const std::string& shape, const std::string& name = "shape");

/// For options that accept a size or a count: converts it to digits, which CLI11 reads. Values
/// below `least` are rejected.
CLI::Validator as_count(std::size_t least = 1);
/// For other numbers that must be above 0: `transform(positive())`. Rejects sizes that would
/// overflow in a product or a quotient, such as 1e-300.
CLI::Validator positive();
/// For numbers with a sign.
CLI::Validator number();
/// For frequencies: numbers with or without "Hz", as in 2.4MHz.
CLI::Validator hertz(bool positive);
/// For times of 0 and above, in seconds: 1.5, 1.5s, 250ms, 10us or 2min.
CLI::Validator seconds();
/// For numbers from 0 to 1.
CLI::Validator share();

}  // namespace imago::command
