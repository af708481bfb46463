// This file parses numbers in the forms that users write.
#include "sizes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "formats/recording.hpp"

namespace imago::command {
namespace {

/// Parses the whole text as a number of that type.
template <class Number>
std::optional<Number> all_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::optional<std::size_t> power(std::size_t base, std::size_t exponent) {
  if (base < 2) return exponent == 0 ? 1 : base;
  std::optional<std::uint64_t> product = 1;
  for (; exponent > 0 && product; --exponent) product = base::checked_multiply(*product, base);
  return product;
}

/// Removes the letters of a factor from the end and returns the factor: 1e6 for "2.4M", 1 if there
/// is none.
double take_factor(std::string_view& text) {
  constexpr std::string_view kLetters = "kMGT";
  const bool binary = text.ends_with('i');
  const std::string_view before = text.substr(0, text.size() - (binary ? 1 : 0));
  if (before.empty()) return 1;
  const char letter = before.back() == 'K' ? 'k' : before.back();
  const auto place = kLetters.find(letter);
  if (place == std::string_view::npos) return 1;
  text = before.substr(0, before.size() - 1);
  return std::pow(binary ? 1024 : 1000, static_cast<double>(place + 1));
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const double factor = take_factor(text);
  const auto number = all_of<double>(text);
  if (!number) return {};
  // 1.001k is 1001, although the double 1.001 times 1000 is not.
  const double product = *number * factor, nearest = std::round(product);
  if (!std::isfinite(product)) return {};
  return std::abs(product - nearest) <= 4e-16 * std::abs(nearest) ? nearest : product;
}

std::vector<std::string> parse_list(const std::string& text) {
  return CLI::detail::split(text, ',');
}

std::optional<std::size_t> parse_size(std::string_view text) {
  if (const auto hat = text.find('^'); hat != std::string_view::npos) {
    const auto base = all_of<std::size_t>(text.substr(0, hat)),
               exponent = all_of<std::size_t>(text.substr(hat + 1));
    return base && exponent ? power(*base, *exponent) : std::nullopt;
  }
  if (text.find_first_not_of("0123456789") == std::string_view::npos)
    return all_of<std::size_t>(text);
  constexpr double kMost = 0x1p53;  // larger doubles do not include all integers
  const auto number = parse_number(text);
  const bool whole = number && *number >= 0 && *number <= kMost && std::trunc(*number) == *number;
  return whole ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

std::vector<std::size_t> parse_shape(const std::string& shape, const std::string& name) {
  if (shape.find(',') != std::string::npos)
    throw Misuse(fmt::format("{} is {}: give one shape, with x between its lengths, such as 64x64",
                             name, shape));
  if (shape.starts_with("0x") || shape.starts_with("0X"))
    throw Misuse(fmt::format("{} is {}: lengths are decimal numbers above 0", name, shape));
  std::vector<std::size_t> lengths;
  for (std::string_view rest = shape;;) {
    const std::size_t end = rest.find_first_of("xX");
    const auto length = parse_size(rest.substr(0, end));
    if (!length)
      throw Misuse(fmt::format(
          "{} is {}, and must be lengths with x between them, such as 1024, 64x64 or 2^20", name,
          shape));
    lengths.push_back(*length);
    if (end == std::string_view::npos) return lengths;
    rest.remove_prefix(end + 1);
  }
}

CLI::Validator as_count(std::size_t least) {
  const auto read = [least](std::string& text) -> std::string {
    const auto number = parse_size(text);
    if (!number || *number < least)
      return fmt::format("is {}, and must be a whole number{}, such as 1000, 2^20 or 1e6", text,
                         least > 0 ? " above 0" : "");
    text = std::to_string(*number);
    return {};
  };
  return CLI::Validator(read, "", "count");
}

namespace {

/// Replaces a number as users write it by one that CLI11 reads; returns the error, if any.
std::string read_number(std::string& text, bool positive) {
  const auto value = parse_number(text);
  if (!value || (positive && !(*value > 0)))
    return fmt::format("is {}, and must be a number{}", text, positive ? " above 0" : "");
  if (*value != 0 && !formats::is_moderate(std::abs(*value)))
    return fmt::format("is {}, and must be from {} to {}{}", text, formats::kLeastSize,
                       formats::kMostSize, positive ? "" : " in size, or 0");
  text = fmt::format("{}", *value);
  return {};
}

}  // namespace

CLI::Validator positive() {
  return CLI::Validator([](std::string& text) { return read_number(text, true); }, "");
}

CLI::Validator number() {
  return CLI::Validator([](std::string& text) { return read_number(text, false); }, "");
}

CLI::Validator hertz(bool positive) {
  const auto read = [positive](std::string& text) {
    std::string number = text;
    if (base::lower_case(number).ends_with("hz")) number.resize(number.size() - 2);
    std::erase(number, ' ');
    const std::string error = read_number(number, positive);
    if (!error.empty())
      return fmt::format("{}, such as 2.4M or 2.4MHz", read_number(text, positive));
    text = number;
    return error;
  };
  return CLI::Validator(read, "");
}

CLI::Validator seconds() {
  const auto read = [](std::string& text) -> std::string {
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"s", 1}, {"", 1}};
    const auto* const unit =
        std::find_if(std::begin(kUnits), std::end(kUnits),
                     [&](const auto& each) { return text.ends_with(each.first); });
    std::string_view number = std::string_view(text).substr(0, text.size() - unit->first.size());
    if (number.ends_with(' ')) number.remove_suffix(1);
    const auto value = parse_number(number);
    if (!value || *value < 0 || (*value != 0 && !formats::is_moderate(*value)))
      return "is " + text + ", and must be a time, such as 1.5, 1.5s or 250ms";
    text = fmt::format("{}", *value * unit->second);
    return {};
  };
  return CLI::Validator(read, "");
}

CLI::Validator share() {
  const auto check = [](const std::string& text) -> std::string {
    const auto value = all_of<double>(text);
    const bool within = value && *value >= 0 && *value <= 1;
    return within ? "" : "is " + text + ", and must be a number from 0 to 1";
  };
  return CLI::Validator(check, "");
}

}  // namespace imago::command
