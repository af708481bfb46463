// This file runs small benchmarks on the default device. It does not test the numbers, but that
// they exist, that wrong results show as errors, and that a run stops on request.
#include <algorithm>
#include <atomic>
#include <filesystem>

#include <imago/imago.hpp>
#include <nlohmann/json.hpp>

#include "bench/bench.hpp"
#include "bench/engines.hpp"
#include "bench/reference.hpp"
#include "bench/signal.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::bench;

namespace {

Settings small_settings() {
  Settings settings;
  settings.device = find_device();
  settings.cases = free_form({{64}, {100}}, 8192);
  settings.options.cache_directory = std::filesystem::temp_directory_path() / "imago_test_bench";
  settings.peers = {"fftw"};
  settings.fftw_estimate = true;
  settings.seconds_per_case = 0.05;
  settings.seconds_per_sample = 0.001;
  settings.min_rounds = settings.max_rounds = 3;
  return settings;
}

/// Computes correctly, then changes one number of the result.
class Spoiled : public Work {
 public:
  Spoiled(Work& work, std::size_t spoiled) : work_(work), spoiled_(spoiled) {}
  double plan_seconds() const override { return work_.plan_seconds(); }
  void load() override { work_.load(); }
  void enqueue() override { work_.enqueue(); }
  void finish() override { work_.finish(); }
  double run(std::size_t calls) override { return work_.run(calls); }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    auto values = work_.read(first, count);
    if (first <= spoiled_ && spoiled_ < first + count) values[spoiled_ - first] *= 4;
    return values;
  }

 private:
  Work& work_;
  std::size_t spoiled_;
};

}  // namespace

TEST_CASE("a run gives every number for imago and a peer, in both precisions and placements") {
  Settings settings = small_settings();
  settings.cases = {forward_case({64}, 128),
                    forward_case({100}, 80, Precision::f32, Placement::out_of_place)};
  if (settings.device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0) {
    settings.cases.push_back(forward_case({64}, 128, Precision::f64));
    settings.cases.push_back(forward_case({100}, 80, Precision::f64, Placement::out_of_place));
  }
  std::size_t rows = 0, heads = 0;
  Callbacks callbacks;
  callbacks.row = [&](const Row&) { ++rows; };
  callbacks.facts = [&](const Facts& facts) { heads += !facts.empty(); };
  const Report report = run(settings, callbacks);
  CHECK(heads == 1);
  CHECK(rows == settings.cases.size());
  REQUIRE(report.rows.size() == settings.cases.size());
  for (const Row& row : report.rows) {
    CHECK(row.wall_gbps > 0);
    REQUIRE(row.results.size() == 2);
    CHECK(row.ratios.size() == 1);
    for (const Result& result : row.results) {
      INFO(name(row.problem) << " " << result.engine << " " << result.skipped);
      CHECK(result.skipped.empty());
      CHECK(result.seconds > 0);
      CHECK(result.plan_cold > 0);
      CHECK(result.first_cold > 0);
      CHECK(result.plan_warm > 0);
      CHECK(result.error > 0);
      CHECK(result.error < (row.problem.precision == Precision::f64 ? 1e-15 : 3e-7));
    }
  }
}

TEST_CASE("single calls are timed in a train and with a wait, by the host's clock") {
  Settings settings = small_settings();
  settings.timing = Timing::single_calls;
  settings.cases = {forward_case({64}),
                    forward_case({16, 8}, 1, Precision::f32, Placement::out_of_place, Kind::real)};
  const Report report = run(settings);
  CHECK(report.timing == Timing::single_calls);
  const auto clock = std::find_if(report.facts.begin(), report.facts.end(),
                                  [](const auto& fact) { return fact.first == "clock"; });
  REQUIRE(clock != report.facts.end());
  CHECK_THAT(clock->second, test::ContainsSubstring("without profiling"));
  REQUIRE(report.rows.size() == 2);
  for (const Row& row : report.rows) {
    CHECK(row.wall_gbps > 0);
    CHECK(row.wall_latency > 0);
    CHECK(row.ratios.size() == 1);
    REQUIRE(row.latency_ratios.size() == 1);
    CHECK(row.latency_ratios[0].peer == "fftw");
    // Arrays are in a CPU's host memory; tests switch the functions for small transforms off.
    CHECK(row.results[0].way ==
          (settings.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU ? "kernels" : ""));
    for (const Result& result : row.results) {
      INFO(name(row.problem) << " " << result.engine << " " << result.skipped);
      CHECK(result.skipped.empty());
      CHECK(result.seconds > 0);
      CHECK(result.latency > 0);
      CHECK(result.latency_spread >= 0);
      CHECK(result.error < 3e-7);
    }
  }
}

TEST_CASE("the queue has no profiling for single calls; for back-to-back calls the clock decides") {
  const auto profiles = [](const Surroundings& around) {
    return (around.device->queue().getInfo<CL_QUEUE_PROPERTIES>() & CL_QUEUE_PROFILING_ENABLE) != 0;
  };
  Settings settings = small_settings();
  settings.clock = Clock::device;
  CHECK(profiles(surroundings_of(settings)));
  settings.timing = Timing::single_calls;
  CHECK_FALSE(profiles(surroundings_of(settings)));
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("clock"));
}

TEST_CASE("every peer computes every shape, complex and real, in both placements") {
  Settings settings = small_settings();
  settings.imago = false;
  settings.check = true;
  settings.plans = Plans::as_found;
  settings.peers = {"fftw", "clfft"};
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    for (const Kind kind : {Kind::complex, Kind::real}) {
      const auto cases = free_form({{100}, {6, 10}, {4, 6, 9}}, 4096,
                                   forward_case({1}, 1, Precision::f32, placement, kind));
      settings.cases.insert(settings.cases.end(), cases.begin(), cases.end());
    }
  }
  for (const Row& row : run(settings).rows) {
    for (const Result& result : row.results) {
      INFO(name(row.problem) << " " << result.engine << " " << result.skipped);
      CHECK(result.skipped.empty());
      CHECK(result.error > 0);
      CHECK(result.error < 3e-7);
    }
  }
}

TEST_CASE("an interrupt leaves the finished rows") {
  std::atomic<bool> interrupt = false;
  Callbacks callbacks;
  callbacks.interrupt = &interrupt;
  callbacks.row = [&](const Row&) { interrupt = true; };
  const Report report = run(small_settings(), callbacks);
  CHECK(report.interrupted);
  CHECK(report.rows.size() == 1);
  CHECK(nlohmann::json::parse(to_json(report))["interrupted"] == true);
}

TEST_CASE("settings that make no sense name the field") {
  Settings settings = small_settings();
  settings.peers = {"nofft"};
  CHECK_THROWS_WITH(run(settings),
                    test::ContainsSubstring("peers") && test::ContainsSubstring("nofft"));
  settings = small_settings();
  settings.cases.clear();
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("cases"));
  settings = small_settings();
  settings.max_rounds = 1;
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("max_rounds"));
  settings = small_settings();
  settings.cases = {forward_case({64, 0}, 8)};
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("64x0"));
  settings = small_settings();
  settings.cases[1].direction = catalogue::Direction::inverse;
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("100*81-f32-in-inverse-backward"));
  settings = small_settings();
  settings.device = cl::Device();
  CHECK_THROWS_WITH(run(settings), test::ContainsSubstring("device"));
}

TEST_CASE("an engine that cannot do a length says so, and the others are measured") {
  Settings settings = small_settings();
  settings.cases = {forward_case({17}, 8)};
  settings.peers = {"fftw", "clfft"};
  settings.imago = false;
  const Report report = run(settings);
  REQUIRE(report.rows.size() == 1);
  CHECK(report.rows[0].results[0].seconds > 0);
  CHECK(report.rows[0].results[1].skipped.find("13") != std::string::npos);
}

TEST_CASE("a case beyond the device's memory is skipped with the reason") {
  Settings settings = small_settings();
  const auto largest = settings.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  settings.cases = {forward_case({64}, largest / 512 + 1)};
  const Report report = run(settings);
  REQUIRE(report.rows.size() == 1);
  for (const Result& result : report.rows[0].results)
    CHECK(result.skipped.find("allocation") != std::string::npos);
}

TEST_CASE("the check sees one wrong element at either end of the batch") {
  Surroundings around;
  around.device = std::make_shared<ClDevice>(find_device(), Clock::host);
  around.identity.threads = 1;
  around.fftw_estimate = true;
  const auto engine = make_fftw(around);
  for (const Case& problem :
       {forward_case({64}, 1000), forward_case({64}, 1000, Precision::f64),
        forward_case({6, 7}, 500),
        forward_case({5, 4, 6}, 60, Precision::f64, Placement::out_of_place, Kind::real),
        forward_case({5, 9}, 200, Precision::f32, Placement::in_place, Kind::real),
        forward_case({8, 8}, 80, Precision::f32, Placement::out_of_place, Kind::dct2),
        forward_case({9}, 80, Precision::f32, Placement::in_place, Kind::dct3),
        forward_case({5, 7}, 150, Precision::f64, Placement::in_place, Kind::dst1)}) {
    INFO(name(problem));
    const Signal signal = make_signal(problem);
    const Reference reference(problem, signal, 1);
    const auto work = engine->plan(problem, signal, Caches::as_found);
    const double right = reference.error(*work);
    CHECK(right > 0);
    CHECK(right < (problem.precision == Precision::f64 ? 1e-15 : 3e-7));
    for (const std::size_t place :
         {std::size_t{5}, problem.batch * spectrum_numbers(problem) - 1}) {
      Spoiled spoiled(*work, place);
      CHECK(reference.error(spoiled) > 1e-3);
    }
  }
}
