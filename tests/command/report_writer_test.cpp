// This file tests that a report which is described once prints as text and as JSON.
#include "report_writer.hpp"

#include <limits>

#include "support/catch.hpp"

namespace imago::command {
namespace {

TEST_CASE("a line has a label, and its values are in the JSON") {
  Report report;
  report.row("{}: {}", Field::plain("file", std::string("a\nb")), "an array");
  report.line("time", "{} (first call {})", Field::seconds("seconds/call", 2e-3),
              Field::seconds("seconds/first_call", 1.5));
  report.line("memory", "{:>9}, {:.1f} of all", Field::bytes("bytes", 1536), 0.25);
  report.lines("plan", {"first", "second"});
  report.value("hidden", 7);
  CHECK(report.text ==
        "a\\nb: an array\n"
        "time       2 ms (first call 1.5 s)\n"
        "memory       1.5 KiB, 0.2 of all\n"
        "plan       first\n"
        "           second\n");
  CHECK(report.json == nlohmann::json{{"file", "a\nb"},
                                      {"seconds", {{"call", 2e-3}, {"first_call", 1.5}}},
                                      {"bytes", 1536},
                                      {"hidden", 7}});
}

TEST_CASE("rows are an array, and a part is an object") {
  Report report, part;
  part.line("check", "{}", Field::number("error", 1.25e-7, "{:.1e}"));
  report.rows("sizes", std::vector<int>{3, 4}, [](int size) {
    Report row;
    row.line("", "{:>3}", Field::plain("size", size));
    return row;
  });
  report.rows("none", std::vector<int>{}, [](int) { return Report(); });
  report.part("check", part);
  CHECK(report.text == "             3\n             4\ncheck      1.2e-07\n");
  CHECK(report.json.dump() ==
        R"({"check":{"error":1.25e-07},"none":[],"sizes":[{"size":3},{"size":4}]})");
}

TEST_CASE("JSON as text has no control characters and no invalid UTF-8") {
  CHECK(dump({{"name", "a\x7f"}}).find('\x7f') == std::string::npos);
  CHECK(dump({{"name", "\xff"}}) == "{\n  \"name\": \"\xef\xbf\xbd\"\n}");
  CHECK(dump({{"value", std::numeric_limits<double>::quiet_NaN()}}) == "{\n  \"value\": null\n}");
}

}  // namespace
}  // namespace imago::command
