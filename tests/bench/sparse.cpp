// This file tests the benchmark of sparse transforms: its suites, cases in which dense transforms
// win, its report, and a small run on the default device.
#include "bench/sparse.hpp"

#include <atomic>
#include <filesystem>

#include <imago/imago.hpp>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace imago;
using namespace imago::bench;

namespace {

SparseResult timed(const char* engine, double seconds) {
  SparseResult result;
  result.engine = engine;
  result.seconds = seconds;
  result.error = 1e-7;
  return result;
}

SparseRow row(std::size_t length, std::size_t sparsity, double sparse, double dense) {
  return {{length, sparsity, Precision::f32}, {timed("phase", sparse), timed("imago", dense)}};
}

}  // namespace

TEST_CASE("sparse suites have a line over the length and one over the sparsity") {
  for (const auto& info : sparse_suites()) {
    SparseReport report;
    for (const auto& each : sparse_suite(info.name)) report.rows.push_back({each, {}});
    REQUIRE(!report.rows.empty());
    const auto lengths = over_length(report), sparsities = over_sparsity(report);
    CHECK(lengths.size() >= 4);
    CHECK(sparsities.size() >= 6);
    CHECK(lengths.back()->problem.length == sparsities.front()->problem.length);
    for (std::size_t i = 1; i < lengths.size(); ++i) {
      CHECK(lengths[i]->problem.length > lengths[i - 1]->problem.length);
      CHECK(lengths[i]->problem.sparsity == 1000);
    }
  }
  CHECK(sparse_suite("quick").empty());
}

TEST_CASE("dense and sparse are as fast where the speed-up is 1 by a power law") {
  SparseReport report;
  report.rows = {row(1 << 10, 10, 4, 1), row(1 << 14, 10, 4, 16)};
  const auto rows = over_length(report);
  const auto at = break_even(rows, "phase", "imago", true);
  REQUIRE(at);
  CHECK(*at == test::Approx(1 << 12));
  CHECK_FALSE(break_even(rows, "voting", "imago", true));
  report.rows[0].results[0].seconds = 0.5;  // now it is faster everywhere
  CHECK_FALSE(break_even(over_length(report), "phase", "imago", true));
  report.rows[0].results[0].skipped = "why";
  CHECK_FALSE(seconds_of(report.rows[0], "phase"));
}

TEST_CASE("the report of sparse transforms has six charts, JSON and the points of equal speed") {
  SparseReport report;
  report.facts = {{"device", "a <b>"}};
  for (const std::size_t k : {10, 100, 1000}) report.rows.push_back(row(1 << 20, k, 0.1 * k, 10));
  for (const std::size_t n : {1 << 16, 1 << 18}) report.rows.push_back(row(n, 100, 10, 1e-5 * n));
  for (auto& each : report.rows) each.results.push_back(timed("fftw", 20));
  const auto svg = to_svg(report);
  for (const char* part : {">a &lt;b&gt;<", ">a: ", ">b: ", ">c: ", ">d: ", ">e: ", ">f: "})
    CHECK_THAT(svg, test::ContainsSubstring(part));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  SparseReport without = report;  // the letters have no gap
  for (auto& each : without.rows) each.results.pop_back();
  const auto five = to_svg(without);
  CHECK_THAT(five, test::ContainsSubstring(">e: error"));
  CHECK(five.find(">f: ") == std::string::npos);
  CHECK_THAT(sparse_summary(report), test::ContainsSubstring("n = 2^20: k = 100"));
  const auto json = nlohmann::json::parse(to_json(report));
  CHECK(json["rows"].size() == 5);
  CHECK(json["rows"][0]["results"][1]["engine"] == "imago");
  CHECK_FALSE(json["rows"][0]["results"][1].contains("error"));
  CHECK_FALSE(to_svg(SparseReport{}).empty());
}

TEST_CASE("a small run measures sparse and dense transforms") {
  Settings settings;
  settings.device = find_device();
  settings.options.cache_directory = std::filesystem::temp_directory_path() / "imago_test_bench";
  settings.peers = {"fftw"};
  settings.fftw_estimate = true;
  settings.seconds_per_case = 0.05;
  settings.min_rounds = settings.max_rounds = 3;
  const std::vector<SparseCase> cases{{1 << 14, 20, Precision::f32},
                                      {1 << 14, 500, Precision::f32}};
  std::size_t finished = 0;
  const auto report = run_sparse(settings, cases, {}, [&](const SparseRow&) { ++finished; });
  CHECK(finished == 2);
  REQUIRE(report.rows.size() == 2);
  REQUIRE(report.rows[0].results.size() == 5);
  for (const auto& result : report.rows[0].results) {
    INFO(result.engine << " " << result.skipped);
    CHECK(result.seconds > 0);
  }
  for (const std::size_t sparse : {0, 1}) {
    CHECK(report.rows[0].results[sparse].sure == report.rows[0].results[sparse].calls);
    CHECK(report.rows[0].results[sparse].error < 1e-6);
  }
  CHECK(report.rows[0].results[1].engine == "verified");
  CHECK(report.rows[0].results[1].samples > cases[0].length);  // all of them
  CHECK(report.rows[1].results[2].skipped != "");              // too many coefficients for voting
  // Dense transforms are measured once per length.
  CHECK(report.rows[0].results[4].seconds == report.rows[1].results[4].seconds);

  std::atomic<bool> interrupt = true;
  Callbacks callbacks;
  callbacks.interrupt = &interrupt;
  const auto stopped = run_sparse(settings, cases, callbacks);
  CHECK(stopped.interrupted);
  CHECK(stopped.rows.empty());
}
