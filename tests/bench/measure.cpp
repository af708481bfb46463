// This file tests the measurement loop and the rows on artificial subjects with known times.
#include "bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "bench/host_clock.hpp"
#include "bench/rows.hpp"
#include "support/catch.hpp"

using imago::test::Approx;
using imago::test::ContainsSubstring;
using namespace imago;
using namespace imago::bench;

namespace {

constexpr auto kNever = [] { return false; };

Subject steady(std::string name, double seconds_per_call, std::vector<std::string>& log,
               std::size_t max_calls = 1000000) {
  return {name, [] {},
          [&log, name, seconds_per_call](std::size_t calls) {
            log.push_back(name);
            return seconds_per_call * static_cast<double>(calls);
          },
          max_calls};
}

Series series_of(std::string name, std::vector<double> seconds) {
  return {std::move(name), std::move(seconds), 1, {}};
}

Result result_of(std::string name) {
  Result result;
  result.engine = std::move(name);
  return result;
}

const Case kCase = forward_case({1024}, 1000);  // 8.192 MB, moved twice

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

}  // namespace

TEST_CASE("subjects take turns, and trains of calls fill a sample") {
  std::vector<std::string> log;
  Pace pace{1.0, 0.01, 1, 5, 20};
  const auto all = take_turns({steady("a", 1e-4, log), steady("b", 1e-2, log)}, pace, kNever);
  REQUIRE(all);
  CHECK((*all)[0].calls == 100);
  CHECK((*all)[1].calls == 1);
  CHECK((*all)[0].seconds.size() == 20);
  CHECK((*all)[1].seconds.size() == 20);
  for (const double seconds : (*all)[0].seconds) CHECK(seconds == Approx(1e-4));
  REQUIRE(log.size() >= 40);
  for (std::size_t i = log.size() - 40; i + 1 < log.size(); ++i) CHECK(log[i] != log[i + 1]);
}

TEST_CASE("the host's clock runs from before the first call until the wait is over") {
  std::string log;
  const auto call = [&] { log += "c"; };
  const auto finish = [&] {
    log += "f";
    for (const double start = now(); now() - start < 1e-3;) continue;
  };
  const double train = time_train(call, finish, 3);
  CHECK(log == "cfcccf");
  CHECK(train >= 1e-3);
  CHECK(time_waits(call, finish, 3) >= 3e-3);
  CHECK(log == "cfcccfcfcfcfcf");
}

TEST_CASE(
    "a sample is a train by the run's clock or the host's, or calls that each are waited for") {
  std::string log;
  Callee callee{"a",
                [] {},
                [&] { log += "c"; },
                [&] { log += "f"; },
                [&](std::size_t calls) {
                  log += "t";
                  return static_cast<double>(calls);
                },
                7};
  const auto sampled = [&](Sampled how) {
    log.clear();
    const Subject subject = subject_of(callee, how);
    CHECK(subject.name == "a");
    CHECK(subject.max_calls == 7);
    subject.sample(2);
    return log;
  };
  CHECK(sampled(Sampled::clocked) == "t");
  CHECK(sampled(Sampled::train) == "cfccf");
  CHECK(sampled(Sampled::waits) == "cfcfcf");
}

TEST_CASE("calls are limited from above by the subject and from below by the pace") {
  std::vector<std::string> log;
  CHECK((*take_turns({steady("a", 1e-6, log, 30)}, {1, 0.01, 1, 3, 3}, kNever))[0].calls == 30);
  CHECK((*take_turns({steady("a", 1.0, log, 30)}, {1, 0.01, 20, 3, 3}, kNever))[0].calls == 20);
  CHECK((*take_turns({steady("a", 1e-6, log, 10)}, {1, 0.01, 20, 3, 3}, kNever))[0].calls == 20);
}

TEST_CASE("slow subjects still get the least number of rounds") {
  std::vector<std::string> log;
  CHECK((*take_turns({steady("a", 10, log)}, {1, 0.01, 1, 7, 51}, kNever))[0].seconds.size() == 7);
}

TEST_CASE("a subject that throws leaves the race, the others go on") {
  std::vector<std::string> log;
  int samples = 0;
  Subject broken{"b", [] {},
                 [&](std::size_t) -> double {
                   if (++samples > 3) throw std::runtime_error("out of luck");
                   return 0.01;
                 },
                 100};
  const auto all = take_turns({steady("a", 0.01, log), broken}, {1, 0.01, 1, 9, 9}, kNever);
  REQUIRE(all);
  CHECK((*all)[0].seconds.size() == 9);
  CHECK((*all)[1].seconds.empty());
  CHECK((*all)[1].failure == "out of luck");
  CHECK(samples == 4);
}

TEST_CASE("an interrupt ends the race without a result") {
  std::vector<std::string> log;
  const auto all =
      take_turns({steady("a", 0.01, log)}, {1, 0.01, 1, 9, 9}, [&] { return log.size() >= 4; });
  CHECK_FALSE(all);
  CHECK(log.size() == 4);
}

TEST_CASE("a row's numbers") {
  const std::vector<Series> series = {
      series_of("imago", {1e-3, 2e-3, 3e-3}), series_of("fftw", {2e-3, 6e-3, 9e-3}),
      series_of("slow copy", {2e-3, 2e-3}), series_of("fast copy", {1e-3, 1e-3})};
  const Row row = make_row(kCase, {result_of("imago"), result_of("fftw")}, series);
  CHECK(row.wall_by == "fast copy");
  CHECK(row.wall_gbps == Approx(16.384));
  CHECK(row.results[0].seconds == 2e-3);
  CHECK(row.results[0].spread == Approx(0.5));
  CHECK(row.results[0].gflops == Approx(51.2e6 / 2e-3 * 1e-9));
  CHECK(row.results[0].gbps == Approx(8.192));
  CHECK(row.results[0].wall_share == Approx(0.5));
  REQUIRE(row.ratios.size() == 1);
  CHECK(row.ratios[0].peer == "fftw");
  CHECK(row.ratios[0].value ==
        Approx(
            3));  // median of 2, 3, 3; the ratio of the medians is also 3, that of the first pair 2
  CHECK(row.ratios[0].low == Approx(2));
}

TEST_CASE("failed and refused engines have a reason and no ratio") {
  Series failed{"fftw", {}, 1, "no memory"};
  Result refused = result_of("clfft");
  refused.skipped = "a prime factor above 13";
  const Row row = make_row(kCase, {result_of("imago"), result_of("fftw"), refused},
                           {series_of("imago", {1e-3}), failed, series_of("copy", {1e-3})});
  CHECK(row.results[1].skipped == "no memory");
  CHECK(row.results[2].skipped == "a prime factor above 13");
  CHECK(row.ratios.empty());
}

TEST_CASE("geometric means, worst cases and the best peer") {
  Report report;
  report.facts = {{"device", "a \"quoted\" <device>"}};
  const auto add = [&](const Case& problem, double a, double b) {
    Row row{problem, 10, "copy", {result_of("imago")}, {{"a", a, a, a}, {"b", b, b, b}}};
    row.results[0].wall_share = 0.5;
    row.results[0].seconds = 1;
    row.results[0].error = std::nan("");
    report.rows.push_back(row);
  };
  add({{8}}, 1, 4);
  add({{16}}, 4, 2);
  const auto means = summarise(report);
  REQUIRE(means.size() == 4);
  CHECK(means[0].peer.empty());
  CHECK(means[0].value == Approx(0.5));
  CHECK(means[1].value == Approx(2));
  CHECK(means[1].worst == 1);
  CHECK(means[1].worst_shape == "8");
  CHECK(means[1].family == "powers of two");
  CHECK(means[2].value == Approx(std::sqrt(8.0)));
  CHECK(means[3].peer == "best peer");
  CHECK(means[3].value == Approx(std::sqrt(2.0)));

  const auto json = nlohmann::json::parse(to_json(report));
  CHECK(json["facts"]["device"] == "a \"quoted\" <device>");
  CHECK(json["rows"].size() == 2);
  CHECK(json["rows"][0]["results"][0]["error"].is_null());
  CHECK(json["rows"][0]["results"][0]["plan_cold_seconds"].is_null());
  CHECK(json["summary"][1]["geometric_mean"].get<double>() == Approx(2));
  CHECK_THAT(table_summary(report), ContainsSubstring("speedup over best other library"));
  CHECK_THAT(table_summary(report), ContainsSubstring("fraction of copy bandwidth"));
  CHECK(to_svg(report).find("&lt;device") != std::string::npos);
}

TEST_CASE("families are averaged apart and together, and refused rows are counted") {
  Report report;
  const auto add = [&](const Case& problem, double ratio) {
    Row row{problem, 10, "copy", {result_of("imago")}, {}};
    if (ratio > 0) {
      row.results[0].wall_share = 0.5;
      row.ratios = {{"a", ratio, ratio, ratio}};
    } else {
      row.results[0].skipped = "not yet";
    }
    report.rows.push_back(row);
  };
  add({{8}}, 2);
  add({{8, 8}}, 8);
  add({{4, 8}}, 0);
  add({{8, 8, 8}}, 0);
  const auto means = summarise(report);
  const auto find = [&](const std::string& family, const std::string& peer) {
    return std::find_if(means.begin(), means.end(), [&](const Mean& mean) {
      return mean.family == family && mean.peer == peer;
    });
  };
  CHECK(means.size() == 2 + 2 + 1 + 2);
  REQUIRE(find("2-D", "a") != means.end());
  CHECK(find("2-D", "a")->value == Approx(8));
  CHECK(find("2-D", "a")->rows == 1);
  CHECK(find("2-D", "a")->cases == 2);
  REQUIRE(find("all", "a") != means.end());
  CHECK(find("all", "a")->value == Approx(4));
  CHECK(find("all", "a")->worst_shape == "8");
  CHECK(find("all", "a")->cases == 4);
  REQUIRE(find("3-D", "") != means.end());
  CHECK(find("3-D", "")->rows == 0);
  CHECK_THAT(table_summary(report), ContainsSubstring("no number in any of 1 rows"));
  CHECK_THAT(table_summary(report), ContainsSubstring("over 1 of 2 rows"));
  const auto json = nlohmann::json::parse(to_json(report));
  CHECK(json["rows"][2]["lengths"] == std::vector<std::size_t>{4, 8});
  CHECK(json["rows"][2]["family"] == "2-D");
  CHECK(json["summary"][4]["geometric_mean"].is_null());
}

TEST_CASE("a row has the times of synchronous calls next to those of back-to-back calls") {
  Row row = make_row(kCase, {result_of("imago"), result_of("a"), result_of("b")},
                     {series_of("imago", {1e-3}), series_of("a", {2e-3}), series_of("b", {4e-3}),
                      series_of("copy", {5e-4})});
  Series failed{"b", {}, 1, "no memory"};
  add_latencies(row, {series_of("imago", {4e-3, 8e-3}), series_of("a", {2e-3, 4e-3}), failed,
                      series_of("copy", {6e-3}), series_of("other copy", {1e-3})});
  CHECK(row.results[0].seconds == 1e-3);
  CHECK(row.results[0].latency == Approx(6e-3));
  CHECK(row.results[1].latency == Approx(3e-3));
  CHECK(row.results[2].skipped == "no memory");
  CHECK(row.wall_latency == 1e-3);
  CHECK(row.ratios.size() == 2);
  REQUIRE(row.latency_ratios.size() == 1);
  CHECK(row.latency_ratios[0].value == Approx(0.5));
}

namespace {

/// imago takes `own` microseconds in back-to-back calls, the other libraries 8 and 16; synchronous
/// calls take 10 more.
Row single_row(const Case& problem, double own) {
  std::vector<Series> trains, waits;
  for (const auto& [name, micros] : {std::pair{"imago", own}, {"a", 8}, {"b", 16}, {"copy", 2}}) {
    trains.push_back(series_of(name, {micros * 1e-6}));
    waits.push_back(series_of(name, {(micros + 10) * 1e-6}));
  }
  Row row = make_row(problem, {result_of("imago"), result_of("a"), result_of("b")}, trains);
  add_latencies(row, waits);
  return row;
}

Report single_report() {
  Report report;
  report.timing = Timing::single_calls;
  report.facts = {{"device", "a <device>"}};
  const Case real = forward_case({32, 32}, 1, Precision::f32, Placement::in_place, Kind::real);
  report.rows = {single_row(forward_case({1024}), 4), single_row(forward_case({1000}), 8),
                 single_row(real, 2), single_row(forward_case({1024}, 1, Precision::f64), 16)};
  return report;
}

}  // namespace

TEST_CASE("single calls are averaged in trains and with a wait, and over all precisions") {
  const auto means = summarise(single_report());
  const auto find = [&](std::optional<Precision> precision, const std::string& family,
                        const std::string& peer, bool latency) {
    const auto found = std::find_if(means.begin(), means.end(), [&](const Mean& mean) {
      return mean.precision == precision && mean.family == family && mean.peer == peer &&
             mean.latency == latency;
    });
    return found == means.end() ? Mean{} : *found;
  };
  CHECK(find(Precision::f32, "powers of two", "a", false).value == Approx(2));
  CHECK(find(Precision::f32, "powers of two", "best peer", true).value == Approx(18.0 / 14));
  CHECK(find(Precision::f32, "all", "b", false).value == Approx(4));
  CHECK(find(Precision::f32, "all", "b", false).rows == 3);
  const Mean whole = find(std::nullopt, "all", "best peer", false);
  CHECK(whole.rows == 4);
  CHECK(whole.value == Approx(std::pow(2 * 1 * 4 * 0.5, 0.25)));
  CHECK(whole.worst == Approx(0.5));
  CHECK(whole.worst_case == "1024 x 1 f64 in place");
  CHECK(find(std::nullopt, "all", "", false).value > 0);
  for (const Mean& mean : means) CHECK_FALSE((mean.latency && mean.peer.empty()));
}

TEST_CASE("the report of single calls has microseconds, both times and their means") {
  Report report = single_report();
  report.rows[0].results[0].way = "by hand";
  CHECK_THAT(table_head(report.facts, report.timing), ContainsSubstring("one call"));
  const std::string row = table_row(report.rows[0], report.timing);
  for (const char* part : {"in place, imago: by hand\n", "4.00", "14.00", "8.00",
                           "2.00 [2.00, 2.00]", "18.00", "1.29", "copy", "12.00"})
    CHECK_THAT(row, ContainsSubstring(part));
  const std::string summary = table_summary(report);
  CHECK_THAT(summary, ContainsSubstring("one call: speedup over best other library"));
  CHECK_THAT(summary, ContainsSubstring("  all, all: 4 rows\n"));
  CHECK_THAT(summary, ContainsSubstring("at 32x32 x 1 real f32 in place"));

  const auto json = nlohmann::json::parse(to_json(report));
  CHECK(json["timing"] == "single calls");
  const auto& first = json["rows"][0];
  CHECK(first["results"][0]["seconds"].get<double>() == Approx(4e-6));
  CHECK(first["results"][0]["latency_seconds"].get<double>() == Approx(14e-6));
  CHECK(first["results"][0]["way"] == "by hand");
  CHECK_FALSE(first["results"][1].contains("way"));
  CHECK(first["wall_latency_seconds"].get<double>() == Approx(12e-6));
  CHECK(first["latency_ratios"][1]["peer"] == "b");
  const auto& last = json["summary"].back();
  CHECK(last["precision"] == "all");
  CHECK(last["of"] == "latency_seconds");
  CHECK(last["worst_case"] == "1024 x 1 f64 in place");
}

TEST_CASE("reports of trains say nothing of single calls") {
  Report report = single_report();
  report.timing = Timing::trains;
  const std::string json = to_json(report);
  CHECK(json.find("latency") == std::string::npos);
  CHECK(json.find("worst_case") == std::string::npos);
  CHECK(table_summary(report).find("one call") == std::string::npos);
  for (const Mean& mean : summarise(report)) CHECK((mean.precision && !mean.latency));
}

TEST_CASE("the picture of single calls has bars of speedups") {
  const std::string svg = to_svg(single_report());
  for (const char* text : {"a &lt;device&gt;", "Back-to-back calls<", "One call and the wait",
                           "Speedup<", ">1000<", ">32x32 real<", ">1024 f64<"})
    CHECK_THAT(svg, ContainsSubstring(text));
  CHECK_THAT(svg, ContainsSubstring("width=\"1000\""));
  CHECK(occurrences(svg, "fill=\"#0072b2\"") == 2 * 4);
  CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("single calls without other libraries are drawn relative to a copy") {
  Report report = single_report();
  for (Row& row : report.rows) row.ratios.clear(), row.latency_ratios.clear();
  const std::string svg = to_svg(report);
  CHECK_THAT(svg, ContainsSubstring("Speed relative to a copy<"));
  CHECK(occurrences(svg, "fill=\"#0072b2\"") == 2 * 4);
}

TEST_CASE("the foot of a picture has version and day, but no commit") {
  Report report = single_report();
  report.facts.emplace_back("build", "imago 0.1.0 01d60f51bd61-dirty, Release, GNU 12.2.0");
  report.facts.emplace_back("date", "2026-11-24T22:41:19Z");
  CHECK_THAT(to_svg(report), ContainsSubstring(">imago 0.1.0, Release, GNU 12.2.0, 2026-11-24<"));
}

TEST_CASE("a picture has a chart per family with numbers") {
  Report report;
  for (const Case& problem : {forward_case({8}), forward_case({16}), forward_case({8, 8})}) {
    Row row{problem, 10, "copy", {result_of("imago")}, {}};
    row.results[0].gbps = 5;
    report.rows.push_back(row);
  }
  const std::string svg = to_svg(report);
  CHECK_THAT(svg, ContainsSubstring("powers of two, f32"));
  CHECK_THAT(svg, ContainsSubstring("2-D, f32"));
  CHECK(occurrences(svg, "stroke-width=\"1.6\"") == 4);  // imago and the copy bandwidth, twice
}

TEST_CASE("a picture names the machine and the lengths that are no powers of two") {
  Report report;
  report.facts = {{"device", "pthread-skylake-avx512-AMD EPYC"},
                  {"compute units", "2"},
                  {"driver", "3.1+debian"},
                  {"platform", "Portable Computing Language, OpenCL 3.0 PoCL 3.1+debian"},
                  {"host", "AMD EPYC"}};
  for (const Case& problem : {forward_case({8}), forward_case({360}), forward_case({1000})}) {
    Row row{problem, 10, "copy", {result_of("imago")}, {}};
    row.results[0].gbps = 5;
    report.rows.push_back(row);
  }
  std::string svg = to_svg(report);
  for (const char* text : {">AMD EPYC, 2 cores, PoCL 3.1<", ">Points: 360, 1000<",
                           ">Points of a transform<", ">Memory copy<"})
    CHECK_THAT(svg, ContainsSubstring(text));
  report.facts = {{"device", "a GPU"}};
  svg = to_svg(report);
  CHECK_THAT(svg, ContainsSubstring(">a GPU<"));
  CHECK_THAT(svg, ContainsSubstring(">Memory copy (upper limit)<"));
}

TEST_CASE("several reports are drawn as imago's share of the wall, a line for each device") {
  std::vector<Report> reports(3);
  for (Report& report : reports) {
    report.facts = {{"device", &report == &reports[0] ? "one" : "other"}};
    for (const std::uint64_t length : {8, 16}) {
      Row row{forward_case({length}), 10, "copy", {result_of("imago"), result_of("a")}, {}};
      row.results[0].wall_share = 0.5;
      report.rows.push_back(row);
    }
  }
  const std::string svg = to_svg(reports);
  for (const char* device : {">one<", ">other<", ">other (2)<", "Fraction of copy"})
    CHECK_THAT(svg, ContainsSubstring(device));
  CHECK(occurrences(svg, "stroke-width=\"1.6\"") == 3);
}

TEST_CASE("a report without rows is still a document") {
  const Report report;
  CHECK(nlohmann::json::parse(to_json(report))["rows"].empty());
  CHECK(to_svg(report).find("</svg>") != std::string::npos);
}
