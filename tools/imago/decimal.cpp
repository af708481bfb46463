// This file reads and writes integers as decimal digits.
#include "decimal.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <imago/exact.hpp>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "command.hpp"

namespace imago::command {
namespace {

constexpr unsigned kMostTogether = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::uint64_t power_of_ten(unsigned exponent) {
  std::uint64_t power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

}  // namespace

Decimal parse_decimal(std::string_view text, const std::string& name) {
  Decimal number;
  std::string& digits = number.digits;
  digits.clear();
  digits.reserve(text.size());
  bool sign = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      digits.push_back(c);
    } else if ((c == '-' || c == '+') && !sign && digits.empty()) {
      sign = true, number.negative = c == '-';
    } else if (!is_space(c) && !(c == '\\' && i + 1 < text.size() && is_space(text[i + 1]))) {
      throw Failure(fmt::format("{} has '{}' at byte {}; it must be an integer of decimal digits",
                                name, base::printable(text.substr(i, 1)), i));
    }
  }
  if (digits.empty())
    throw Failure(name + " has no digits; it must be an integer of decimal digits");
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits == "0") number.negative = false;
  return number;
}

unsigned digits_together(std::size_t shorter) {
  for (unsigned together = kMostTogether; together > 1; --together) {
    const std::uint64_t largest = power_of_ten(together) - 1,
                        terms = shorter / together + (shorter % together == 0 ? 0 : 1);
    if (terms <= IntegerConvolution::kLargestInOneRing / (largest * largest)) return together;
  }
  return 1;
}

std::vector<std::int64_t> integers_of(const std::string& digits, unsigned together) {
  std::vector<std::int64_t> integers(base::ceil_divide(digits.size(), std::size_t{together}));
  std::size_t end = digits.size();
  for (std::int64_t& integer : integers) {
    const std::size_t begin = end > together ? end - together : 0;
    for (std::size_t i = begin; i < end; ++i) integer = 10 * integer + (digits[i] - '0');
    end = begin;
  }
  return integers;
}

std::string digits_of(std::span<const std::int64_t> integers, unsigned together) {
  const std::uint64_t power = power_of_ten(together);
  std::string digits;  // the least significant first
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < integers.size() || carry > 0; ++i) {
    if (i < integers.size()) carry += static_cast<std::uint64_t>(integers[i]);
    std::uint64_t own = carry % power;
    carry /= power;
    for (unsigned d = 0; d < together; ++d, own /= 10)
      digits.push_back(static_cast<char>('0' + own % 10));
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::uint64_t modulo(const std::string& digits) {
  std::uint64_t rest = 0;
  for (const char digit : digits)
    rest = (10 * rest + static_cast<std::uint64_t>(digit - '0')) % kCheckModulus;
  return rest;
}

}  // namespace imago::command
