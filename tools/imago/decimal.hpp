// This file holds integers as decimal digits, and cuts them into the integers of a convolution. The
// digits of a product are those of the convolution of the factors' digits, after the carries: no
// number is converted to another base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace imago::command {

struct Decimal {
  bool negative = false;
  std::string digits = "0";  ///< the most significant first, without leading zeros
};

/// Returns the integer in a text: digits with an optional sign before them. Spaces, line breaks and
/// the backslashes before line breaks (as `bc` writes them) are skipped. Throws Failure, with the
/// name of the text and the place in it.
Decimal parse_decimal(std::string_view text, const std::string& name);

/// Returns the most digits, from 1 to 9, of an integer of a convolution in which no sum of products
/// exceeds IntegerConvolution::kLargestInOneRing. `shorter` is the number of digits of the shorter
/// factor.
unsigned digits_together(std::size_t shorter);
/// Returns the integers of so many digits each, the least significant first.
std::vector<std::int64_t> integers_of(const std::string& digits, unsigned together);
/// Returns the digits of the number whose integers of so many digits have these values, which may
/// be larger.
std::string digits_of(std::span<const std::int64_t> integers, unsigned together);

/// Returns the number modulo kCheckModulus, a prime.
std::uint64_t modulo(const std::string& digits);
inline constexpr std::uint64_t kCheckModulus = 4294967291;

}  // namespace imago::command
