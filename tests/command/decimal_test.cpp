// This file tests integers of decimal digits.
#include "decimal.hpp"

#include <imago/exact.hpp>

#include "command.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

namespace imago::command {
namespace {

TEST_CASE("decimal integers are read with signs, line breaks and leading zeros") {
  CHECK(parse_decimal("00120\n", "a").digits == "120");
  CHECK(parse_decimal("12\\\n34\r\n 5", "a").digits == "12345");
  CHECK(parse_decimal("000", "a").digits == "0");
  CHECK(parse_decimal("+7", "a").digits == "7");
  const Decimal number = parse_decimal(" -7", "a");
  CHECK((number.negative && number.digits == "7"));
  CHECK_FALSE(parse_decimal("-0", "a").negative);
  const auto refused = [](const char* text) {
    return test::message_of<Failure>([&] { parse_decimal(text, "a.txt"); });
  };
  CHECK(refused("12x") == "a.txt has 'x' at byte 2; it must be an integer of decimal digits");
  CHECK(refused("1-2") == "a.txt has '-' at byte 1; it must be an integer of decimal digits");
  CHECK(refused("--2") == "a.txt has '-' at byte 1; it must be an integer of decimal digits");
  CHECK(refused("1\\2") == "a.txt has '\\' at byte 1; it must be an integer of decimal digits");
  CHECK(refused("\x1b") == "a.txt has '\\x1b' at byte 0; it must be an integer of decimal digits");
  CHECK(refused(" \n-") == "a.txt has no digits; it must be an integer of decimal digits");
}

TEST_CASE("as many decimal digits are together as a convolution proves") {
  CHECK(digits_together(1) == 9);
  CHECK(digits_together(9) == 9);
  CHECK(digits_together(10) == 8);
  // 1152921 integers of 6 digits: (10^6 - 1)^2 times them is just below 2^60.
  const std::uint64_t square = 999999ull * 999999, most = IntegerConvolution::kLargestInOneRing;
  const std::size_t terms = most / square;
  CHECK(digits_together(6 * terms) == 6);
  CHECK(digits_together(6 * terms + 1) == 5);
  CHECK(digits_together(~std::size_t{0}) == 1);
}

TEST_CASE("digits are cut and joined") {
  CHECK(integers_of("12345", 2) == std::vector<std::int64_t>{45, 23, 1});
  CHECK(integers_of("0", 9) == std::vector<std::int64_t>{0});
  CHECK(digits_of(std::vector<std::int64_t>{45, 23, 1}, 2) == "12345");
  CHECK(digits_of(std::vector<std::int64_t>{0, 0}, 3) == "0");
  // 99 + 999999 100 + 100^2, with carries beyond the last integer
  CHECK(digits_of(std::vector<std::int64_t>{99, 999999, 1}, 2) == "100009999");
  CHECK(digits_of(std::vector<std::int64_t>{123456789012345}, 1) == "123456789012345");
}

TEST_CASE("numbers are compared modulo a prime") {
  CHECK(modulo("4294967290") == 4294967290);
  CHECK(modulo("4294967292") == 1);
  // 2^64 = (p + 5)^2
  CHECK(modulo("18446744073709551616") == 25);
}

}  // namespace
}  // namespace imago::command
