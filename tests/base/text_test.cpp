// This file checks numbers and foreign text in sentences.
#include "base/text.hpp"

#include "support/catch.hpp"

namespace imago::base {
namespace {

TEST_CASE("one thing is one, others are several") {
  CHECK(counted(1, "launch", "launches") == "1 launch");
  CHECK(counted(0, "launch", "launches") == "0 launches");
  CHECK(counted(1, "kernel") == "1 kernel");
  CHECK(counted(18446744073709551615u, "kernel") == "18446744073709551615 kernels");
}

TEST_CASE("times have three digits and a unit") {
  CHECK(seconds_text(0) == "0 us");
  CHECK(seconds_text(940.32e-6) == "940 us");
  CHECK(seconds_text(999.7e-6) == "1000 us");
  CHECK(seconds_text(0.0123456) == "12.3 ms");
  CHECK(seconds_text(12.34) == "12.3 s");
  CHECK(seconds_text(123456) == "123456 s");
}

TEST_CASE("numbers are neither hidden by their decimals nor longer than a line") {
  CHECK(number_text(0, 1) == "0.0");
  CHECK(number_text(250.46, 1) == "250.5");
  CHECK(number_text(-1003.7, 1) == "-1003.7");
  CHECK(number_text(1.2e-5, 2) == "1.2e-05");
  CHECK(number_text(-0.004, 2) == "-0.004");
  CHECK(number_text(999999999999999, 2) == "999999999999999.00");
  CHECK(number_text(1e300, 2) == "1e+300");
  CHECK(number_text(1e300 * 1e300, 2) == "inf");
}

TEST_CASE("foreign text controls no terminal and stays on its line") {
  CHECK(printable("a name, 'q' \\x 3 %") == "a name, 'q' \\x 3 %");
  CHECK(printable("gr\xc3\xbc\xc3\x9f \xf0\x9f\x8e\xb5 \xe2\x82\xac") ==
        "gr\xc3\xbc\xc3\x9f \xf0\x9f\x8e\xb5 \xe2\x82\xac");
  CHECK(printable("\x1b[31mred\x7f") == "\\x1b[31mred\\x7f");
  CHECK(printable(std::string_view("a\0b\n\r\t", 6)) == "a\\x00b\\n\\r\\t");
  CHECK(printable("\xc2\x9b"
                  "31m \xc2\xa0") == "\\xc2\\x9b31m \xc2\xa0");  // U+009B begins a sequence
  CHECK(printable("\xff\x80 \xc3") == "\\xff\\x80 \\xc3");
  CHECK(printable("\xc0\x9b \xe0\x82\x9b \xed\xa0\x80 \xf4\x90\x80\x80") ==
        "\\xc0\\x9b \\xe0\\x82\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  CHECK(printable_lines("log:\n\tline\x1b\r\n") == "log:\n\tline\\x1b\\r\n");
  for (int c = 0; c < 256; ++c) {
    const std::string once = printable(std::string(2, static_cast<char>(c)));
    for (const char each : once) CHECK((each >= ' ' && each <= '~'));
    CHECK(printable(once) == once);
  }
}

}  // namespace
}  // namespace imago::base
