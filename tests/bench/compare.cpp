// This file tests the comparison of two reports: reading JSON, matching rows, distinguishing
// changes from scatter, and the texts about them.
#include "bench/compare.hpp"

#include <string>

#include <imago/error.hpp>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using imago::test::Approx;
using imago::test::ContainsSubstring;
using namespace imago;
using namespace imago::bench;

namespace {

/// Returns a report of one row: 64 points, imago and FFTW.
std::string report(const std::string& imago_times, const std::string& fftw_times,
                   const std::string& ratio, const std::string& date = "monday") {
  return R"({"format": 2, "interrupted": false, "facts": {"device": "a CPU", "date": ")" + date +
         R"("}, "rows": [{"lengths": [64], "kind": "real", "batch": 8, "precision": "f64",
            "placement": "out_of_place", "results": [{"engine": "imago", )" +
         imago_times + R"(}, {"engine": "fftw", )" + fftw_times +
         R"(}], "ratios": [{"peer": "fftw", )" + ratio + "}]}]}";
}

Report read(const std::string& text) { return from_json(text, "file.json"); }

const std::string kRatio = R"("value": 2, "low": 1.9, "high": 2.1)";
const std::string kMonday =
    report(R"("seconds": 1e-3, "spread": 0.1)", R"("seconds": 2e-3, "spread": 0.02)", kRatio);

Row row(std::vector<std::uint64_t> lengths, double seconds, double spread) {
  Row row;
  row.problem = forward_case(std::move(lengths), 4);
  Result result;
  result.engine = "imago";
  result.seconds = seconds;
  result.spread = spread;
  row.results.push_back(result);
  return row;
}

}  // namespace

TEST_CASE("a report is read back as it was written") {
  Report report;
  report.timing = Timing::single_calls;
  report.facts = {{"device", "a GPU"}, {"build", "1"}};
  report.rows.push_back(row({16, 8}, 3e-6, 0.25));
  report.rows[0].problem.kind = Kind::dct2;
  report.rows[0].problem.precision = Precision::f16;
  report.rows[0].results[0].latency = 5e-6;
  report.rows[0].results[0].latency_spread = 0.5;
  report.rows[0].results.push_back({"fftw", "it has none"});
  report.rows[0].ratios = {{"vkfft", 1.5, 1.25, 1.75}};
  report.rows[0].latency_ratios = {{"vkfft", 2.5, 2.25, 2.75}};
  const Report again = read(to_json(report));
  CHECK(again.timing == Timing::single_calls);
  CHECK(again.facts == report.facts);
  REQUIRE(again.rows.size() == 1);
  CHECK(again.rows[0].problem == report.rows[0].problem);
  REQUIRE(again.rows[0].results.size() == 2);
  const Result& result = again.rows[0].results[0];
  CHECK(result.engine == "imago");
  CHECK(result.seconds == Approx(3e-6));
  CHECK(result.spread == Approx(0.25));
  CHECK(result.latency == Approx(5e-6));
  CHECK(result.latency_spread == Approx(0.5));
  CHECK(again.rows[0].results[1].skipped == "it has none");
  REQUIRE(again.rows[0].ratios.size() == 1);
  CHECK(again.rows[0].ratios[0].peer == "vkfft");
  CHECK(again.rows[0].ratios[0].high == 1.75);
  REQUIRE(again.rows[0].latency_ratios.size() == 1);
  CHECK(again.rows[0].latency_ratios[0].low == 2.25);
}

TEST_CASE("reports of the first format have one length and complex data") {
  const Report report = read(R"({"format": 1, "facts": {}, "rows": [{"length": 4, "batch": 2,
      "precision": "f32", "placement": "in_place", "results": [], "ratios": []}]})");
  REQUIRE(report.rows.size() == 1);
  CHECK(report.rows[0].problem == forward_case({4}, 2));
}

TEST_CASE("a text that is no report is rejected with its name and the place") {
  const auto row = [](const std::string& changed) {
    return R"({"format": 2, "facts": {}, "rows": [{"lengths": [64], "batch": 8, "precision": "f32",
      "placement": "in_place", "results": [{"engine": "imago", "seconds": 1, "spread": 0.1}])" +
           changed + "}]}";
  };
  CHECK_NOTHROW(read(row("")));
  for (const auto& [text, place] :
       {std::pair<std::string, const char*>{"", "parse"},
        {"[]", "format"},
        {"{}", "format"},
        {R"({"format": 3})", "newer"},
        {R"({"format": 2, "facts": {}, "rows": [{}]})", "lengths"},
        {row(R"(, "kind": "dct9")"), "dct9"},
        {row(R"(, "lengths": [64, 0])"), "64x0"},
        {row(R"(, "batch": "many")"), "string"},
        {row(R"(, "results": [{"engine": "imago", "seconds": -3}])"), "seconds"}}) {
    INFO(text);
    CHECK_THROWS_AS(read(text), InvalidArgument);
    CHECK_THROWS_WITH(read(text), ContainsSubstring(place));
  }
  CHECK_THROWS_WITH(read("{}"), ContainsSubstring("file.json"));
}

TEST_CASE("a difference within the interquartile ranges is no change") {
  const auto change = [](double after, double spread) {
    Report first, second;
    first.rows.push_back(row({64}, 1e-3, 0.1));
    second.rows.push_back(row({64}, after, spread));
    const auto rows = compare(first, second).rows;
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].ratio.value == Approx(1e-3 / after));
    return rows[0].change;
  };
  // The first is 0.95 to 1.05 ms.
  CHECK(change(1e-3, 0) == Change::none);
  CHECK(change(1.04e-3, 0) == Change::none);
  CHECK(change(1.06e-3, 0) == Change::slower);
  CHECK(change(1.1e-3, 0.08) == Change::slower);  // from 1.056
  CHECK(change(1.1e-3, 0.12) == Change::none);    // from 1.034
  CHECK(change(0.94e-3, 0) == Change::faster);
  CHECK(change(0.94e-3, 0.1) == Change::none);
  CHECK(change(2e-3, 4) ==
        Change::none);  // so wide that it begins at 0, which is no number in JSON
}

TEST_CASE("rows belong together by their case, and the others are named") {
  Report first, second;
  first.rows = {row({64}, 1, 0), row({100}, 1, 0), row({8, 8}, 1, 0)};
  second.rows = {row({8, 8}, 0.5, 0), row({64}, 2, 0), row({64}, 2, 0)};
  second.rows[2].problem.precision = Precision::f64;
  const Comparison comparison = compare(first, second);
  REQUIRE(comparison.rows.size() == 2);
  CHECK(shape(comparison.rows[0].problem) == "64");
  CHECK(comparison.rows[0].change == Change::slower);
  CHECK(shape(comparison.rows[1].problem) == "8x8");
  CHECK(comparison.rows[1].change == Change::faster);
  CHECK(comparison.only_before == std::vector<std::string>{"100 x 4 f32 in place"});
  CHECK(comparison.only_after == std::vector<std::string>{"64 x 4 f64 in place"});
  REQUIRE(comparison.means.size() == 1);
  CHECK(comparison.means[0].value == Approx(1));
  CHECK(comparison.means[0].worst == Approx(0.5));
  CHECK(comparison.means[0].worst_case == "64 x 4 f32 in place");
  CHECK(comparison.means[0].rows == 2);
  CHECK(comparison.means[0].slower == 1);
  CHECK(comparison.means[0].faster == 1);
}

TEST_CASE("a case that an engine skipped in one report is in no row") {
  Report first, second;
  first.rows.push_back(row({64}, 1, 0));
  second.rows.push_back(row({64}, 0, 0));
  second.rows[0].results[0].skipped = "too large";
  const Comparison comparison = compare(first, second);
  CHECK(comparison.rows.empty());
  CHECK(comparison.means.empty());
  CHECK(comparison.only_before.empty());
  CHECK_THAT(to_text(comparison, "a", "b"), ContainsSubstring("no row"));
}

TEST_CASE("relative to a peer, the drift of the machine cancels") {
  // Everything takes twice as long; the ratio shows that imago is 1.1 times as good as before.
  const std::string tuesday =
      report(R"("seconds": 2e-3, "spread": 0.1)", R"("seconds": 4.4e-3, "spread": 0.02)",
             R"("value": 2.2, "low": 2.15, "high": 2.3)", "tuesday");
  const Comparison comparison = compare(read(kMonday), read(tuesday));
  REQUIRE(comparison.means.size() == 3);
  const ComparedMean &own = comparison.means[0], &beside = comparison.means[2];
  CHECK(own.engine == "imago");
  CHECK(own.beside.empty());
  CHECK(own.value == Approx(0.5));
  CHECK(own.slower == 1);
  CHECK(beside.engine == "imago");
  CHECK(beside.beside == "fftw");
  CHECK(beside.value == Approx(1.1));
  CHECK(beside.faster == 1);  // 2.15 over 2.1
  REQUIRE(comparison.differences.size() == 1);
  CHECK(comparison.differences[0].fact == "date");
  CHECK(comparison.differences[0].before == "monday");
  CHECK(comparison.differences[0].after == "tuesday");
}

TEST_CASE("calls with a wait are compared on their own") {
  Report first, second;
  first.rows.push_back(row({64}, 1e-6, 0.1));
  second.rows.push_back(row({64}, 1e-6, 0.1));
  first.rows[0].results[0].latency = second.rows[0].results[0].latency = 4e-6;
  first.rows[0].results[0].latency_spread = second.rows[0].results[0].latency_spread = 0;
  second.rows[0].results[0].latency = 8e-6;
  const Comparison comparison = compare(first, second);
  REQUIRE(comparison.rows.size() == 2);
  CHECK(comparison.rows[0].change == Change::none);
  CHECK(comparison.rows[1].latency);
  CHECK(comparison.rows[1].change == Change::slower);
  CHECK(comparison.means.size() == 2);
  CHECK_THAT(to_text(comparison, "a", "b"), ContainsSubstring("imago, one call"));
}

TEST_CASE("text and JSON say both intervals, the ratio and what is slower") {
  const std::string tuesday =
      report(R"("seconds": 1.25e-3, "spread": 0.04)", R"("seconds": 2e-3, "spread": 0.02)", kRatio);
  const Comparison comparison = compare(read(kMonday), read(tuesday));
  const std::string text = to_text(comparison, "monday.json", "tuesday.json");
  CHECK_THAT(text, ContainsSubstring("A              monday.json"));
  CHECK_THAT(text, ContainsSubstring("64 x 8 real f64 out of place"));
  CHECK_THAT(text, ContainsSubstring("1000.00 [950.00, 1050.00]"));
  CHECK_THAT(text, ContainsSubstring("1250.00 [1225.00, 1275.00]"));
  CHECK_THAT(text, ContainsSubstring("0.80 [0.75, 0.86]    slower"));
  CHECK_THAT(text,
             ContainsSubstring("imago                        0.800     1       1       0  0.800"));
  CHECK(text.find("slower\n") == text.rfind("slower\n"));  // FFTW's is not
  const auto json = nlohmann::json::parse(to_json(comparison, "monday.json", "tuesday.json"));
  CHECK(json["a"] == "monday.json");
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][0]["change"] == "slower");
  CHECK(json["rows"][0]["lengths"] == std::vector{64});
  CHECK(json["rows"][0]["a"]["low"].get<double>() == Approx(0.95e-3));
  CHECK(json["rows"][0]["ratio"]["value"].get<double>() == Approx(0.8));
  CHECK(json["rows"][1]["change"].is_null());
  REQUIRE(json["means"].size() == 3);
  CHECK(json["means"][0]["geometric_mean"].get<double>() == Approx(0.8));
  CHECK(json["means"][2]["beside"] == "fftw");
}

TEST_CASE("control characters in a report are escaped") {
  const Report found = read(report(R"("seconds": 1, "spread": 0)", R"("skipped": "a\u0007b")",
                                   kRatio, R"(\u001b[31mred\u0085\u007f, 3 \u00b5s)"));
  CHECK(found.facts[1].second == "\\x1b[31mred\\xc2\\x85\\x7f, 3 \u00b5s");
  CHECK(found.rows[0].results[1].skipped == "a\\x07b");
}
