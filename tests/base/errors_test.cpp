// This file tests that every exception names the error, the value and the allowed values.
#include "base/errors.hpp"

#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/log_once.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

using namespace imago;
using imago::test::ContainsSubstring;
using imago::test::message_of;

TEST_CASE("messages name the field, the value and what is allowed") {
  const auto text =
      message_of<InvalidArgument>([] { base::invalid("batch", 0, "it must be at least 1"); });
  CHECK(text == "batch is 0; it must be at least 1");
  const auto limit = message_of<Unsupported>([] { base::unsupported("length 17", "use 16"); });
  CHECK_THAT(limit, ContainsSubstring("length 17"));
  CHECK_THAT(limit, ContainsSubstring("use 16"));
  const auto profile =
      message_of<ProfileError>([] { base::profile_error("a.json", "line 3", "a number"); });
  CHECK_THAT(profile, ContainsSubstring("a.json: line 3: a number"));
}

TEST_CASE("foreign text in messages is printable") {
  const std::string red = "\x1b[31m\nred";
  const auto plain = [](const std::string& text) {
    CHECK_THAT(text, ContainsSubstring("\\x1b[31m\\nred"));
    CHECK_THAT(text, !ContainsSubstring("\x1b"));
    CHECK_THAT(text, !ContainsSubstring("\nred"));
  };
  plain(message_of<InvalidArgument>([&] { base::invalid("file", red, "give another"); }));
  plain(message_of<InvalidArgument>([&] { base::invalid(red, 1, "give another"); }));
  plain(message_of<Unsupported>([&] { base::unsupported(red, "use 16"); }));
  plain(message_of<Unsupported>([&] { base::unsupported("17", red); }));
  plain(message_of<ProfileError>([&] { base::profile_error(red, "line 3", "a number"); }));
  plain(message_of<ProfileError>([&] { base::profile_error("a.json", red, "a number"); }));
  plain(message_of<DeviceError>([&] { base::device_error("clCall", red, 1); }));
  plain(message_of<DeviceError>([&] { base::wrong_device(red, "sum", "use another"); }));
  plain(message_of<Stopped>([&] { base::stopped(red); }));
}

TEST_CASE("a compiler's lines stay lines") {
  const std::string log = "<source>:3:\n\tx\x1b[0m = 1";
  const std::string shown = "<source>:3:\n\tx\\x1b[0m = 1";
  CHECK_THAT(message_of<DeviceError>([&] { base::device_error("clCall", "CODE", 1, "k", log); }),
             ContainsSubstring("CODE (1), kernel k\n" + shown));
  CHECK_THAT(message_of<InvalidArgument>([&] { base::invalid("text", "bad", log); }),
             ContainsSubstring(shown));
}

TEST_CASE("log lines are printable, for listeners, too") {
  std::vector<std::string> heard;
  set_log([&](LogLevel, const std::string& text) { heard.push_back(text); });
  base::log(LogLevel::warning, "a\x1b[31m:\nb");
  base::warn_once("a\x1b[31m\nb");
  set_log({});
  CHECK(heard == std::vector<std::string>{"a\\x1b[31m:\nb", "a\\x1b[31m\\nb"});
}

TEST_CASE("a device error carries code, kernel and build log") {
  try {
    base::device_error("clBuildProgram", "CL_BUILD_PROGRAM_FAILURE", -11, "fft", "line 1: no");
    FAIL("nothing was thrown");
  } catch (const DeviceError& error) {
    CHECK(error.code() == -11);
    CHECK(error.kernel() == "fft");
    CHECK(error.build_log() == "line 1: no");
    CHECK_THAT(error.what(), ContainsSubstring("CL_BUILD_PROGRAM_FAILURE"));
    CHECK_THAT(error.what(), ContainsSubstring("fft"));
  }
}

TEST_CASE("every kind is an imago::Error, and a broken promise inside is not") {
  CHECK_THROWS_AS(base::invalid("a", 1, "b"), Error);
  CHECK_THROWS_AS(base::unsupported("a", "b"), Error);
  CHECK_THROWS_AS(base::profile_error("a", "b", "c"), Error);
  CHECK_THROWS_AS(base::device_error("a", "b", -1), Error);
  CHECK_THROWS_AS(base::internal_error("a"), std::logic_error);
}
