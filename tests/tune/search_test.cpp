// This file tests the search with a judge that knows every candidate's time.
#include "tune/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <imago/error.hpp>

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

lines::Request request_of(std::uint64_t length) {
  lines::Request request;
  request.length = length;
  request.batch = 64;
  request.in.distance = request.out.distance = length;
  return request;
}

/// Returns seconds; least with few passes, 128 work-items, one exchange and twiddles from a table.
double truth(const Parameters& candidate) {
  const auto& kernel = candidate.kernels.at(0);
  double seconds = 1e-4 * static_cast<double>(kernel.radices.size());
  seconds += 1e-5 * std::abs(std::log2(kernel.items * kernel.columns / 128.0));
  if (kernel.exchange == Exchange::split) seconds += 2e-5;
  if (kernel.twiddles != Twiddles::table) seconds += 1e-5;
  return seconds;
}

/// Time passes only while it measures.
class FakeJudge : public tune::Judge {
 public:
  void expect(const std::vector<Parameters>& candidates) override {
    announced += candidates.size();
  }
  void answer_within(double seconds) override { patience = std::min(seconds, 60.0); }
  double time(const Parameters& candidate, double) override {
    clock += slow;
    ++calls;
    const auto& kernel = candidate.kernels.at(0);
    if (hanging_items != 0 && kernel.items == hanging_items) {
      clock += patience;
      throw Error("it hung");
    }
    if (broken_columns != 0 && kernel.columns == broken_columns) throw Error("its result is wrong");
    return truth(candidate) * (1 + 0.01 * std::sin(static_cast<double>(calls)));
  }
  double clock = 0, slow = 0.01, patience = 60;
  unsigned hanging_items = 0;
  std::size_t calls = 0, announced = 0;
  unsigned broken_columns = 0;
};

struct Bench {
  lines::Request request = request_of(256);
  plan::Space space{request, test::large_gpu(), Mapping::work_group};
  std::vector<Parameters> first{plan::complete(request, test::large_gpu(), {})};
  std::vector<Parameters> likely;
  tune::Cost cost = [](const Parameters& candidate) { return truth(candidate) * 1.3; };
  FakeJudge judge;
  tune::Settings settings;
  bool stop = false;

  tune::Result run() {
    tune::Callbacks callbacks;
    callbacks.now = [this] { return judge.clock; };
    callbacks.stop = [this] { return stop; };
    return tune::search(space, {first, likely}, cost, judge, settings, callbacks);
  }
  double least() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t i = 0; i < space.size(); ++i) least = std::min(least, truth(space.at(i)));
    return least;
  }
};

}  // namespace

TEST_CASE("A candidate that hangs takes no more than the budget", "[tune]") {
  Bench bench;
  bench.settings.budget = 5;
  bench.judge.hanging_items = bench.first[0].kernels[0].items;
  const auto result = bench.run();
  CHECK(bench.judge.clock < 1.6 * 5);
  CHECK(std::any_of(result.tried.begin(), result.tried.end(),
                    [](const auto& tried) { return tried.failure == "it hung"; }));
}

TEST_CASE("If timing takes long, the finalists get fewer rounds, or there is no best", "[tune]") {
  Bench bench;
  bench.settings.budget = 10;
  bench.judge.slow = 0.15;
  const auto fewer = bench.run();
  CHECK(bench.judge.clock < 1.6 * 10);
  CHECK(fewer.best());
  CHECK(fewer.scatter < 0.05);
  Bench slower;
  slower.settings.budget = 1;
  slower.judge.slow = 0.5;
  const auto none = slower.run();
  CHECK(none.unsettled);
  CHECK(!none.best());
}

TEST_CASE("The search finds the best candidate within its budget", "[tune]") {
  Bench bench;
  bench.settings.budget = 4;
  const auto result = bench.run();
  REQUIRE(result.best() != nullptr);
  CHECK(truth(result.best()->parameters) <= bench.least() * 1.01);
  CHECK(result.best()->finalist);
  CHECK(result.space == bench.space.size());
  // The finalists' rounds may exceed the budget, but not by more than their own time.
  CHECK(bench.judge.clock < 4 + 0.01 * 15 * 7);
  CHECK(bench.judge.announced > 0);
}

TEST_CASE("A misleading cost is made up for by climbing", "[tune]") {
  Bench bench;
  bench.settings.budget = 30;
  bench.cost = [](const Parameters& candidate) { return 1 / truth(candidate); };
  const auto result = bench.run();
  REQUIRE(result.best() != nullptr);
  CHECK(truth(result.best()->parameters) < 1.2 * bench.least());
}

TEST_CASE("Likely candidates are ranked together with the sample", "[tune]") {
  Bench bench;
  bench.settings.budget = 0.05;  // for the first ones, and a few by rank
  Parameters outside = bench.first[0];
  outside.kernels[0].columns = 3;  // not in the space
  bench.likely = {outside};
  bench.cost = [&](const Parameters& candidate) { return candidate == outside ? 1e-9 : 1.0; };
  REQUIRE(bench.run().of(outside) != nullptr);
  bench.likely.clear();
  CHECK(bench.run().of(outside) == nullptr);
}

TEST_CASE("Failed candidates are kept with their reason and never chosen", "[tune]") {
  Bench bench;
  bench.judge.broken_columns = bench.first[0].kernels[0].columns;
  const auto result = bench.run();
  REQUIRE(result.best() != nullptr);
  CHECK(result.best()->parameters.kernels[0].columns != bench.judge.broken_columns);
  const auto* own = result.of(bench.first[0]);
  REQUIRE(own != nullptr);
  CHECK(own->failure == "its result is wrong");
  CHECK(result.tried.back().failure == "its result is wrong");
}

TEST_CASE("The first candidates are timed again beside the best", "[tune]") {
  Bench bench;
  const auto result = bench.run();
  const auto* own = result.of(bench.first[0]);
  REQUIRE(own != nullptr);
  CHECK(own->finalist);
}

TEST_CASE("A candidate that is faster by chance does not replace imago's own choice", "[tune]") {
  Bench bench;
  const double real = GENERATE(1.0, 0.9);
  // All candidates take the same time, with noise of 3 %, except those that are really faster.
  class Noisy : public tune::Judge {
   public:
    Noisy(Parameters own, double others) : own_(std::move(own)), others_(others) {}
    void expect(const std::vector<Parameters>&) override {}
    double time(const Parameters& candidate, double) override {
      clock += 0.01;
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      const double noise = 0.03 * static_cast<double>(state_ >> 40) / (1 << 24);
      return 1e-4 * (candidate == own_ ? 1 : others_) * (1 + noise);
    }
    double clock = 0;

   private:
    Parameters own_;
    double others_;
    std::uint64_t state_ = 1;
  } judge(bench.first[0], real);
  tune::Callbacks callbacks;
  callbacks.now = [&] { return judge.clock; };
  callbacks.stop = [] { return false; };
  const auto result =
      tune::search(bench.space, {bench.first, {}}, bench.cost, judge, bench.settings, callbacks);
  REQUIRE(result.best() != nullptr);
  CHECK((result.best()->parameters == bench.first[0]) == (real == 1.0));
}

TEST_CASE("An exhaustive search tries a sample, each once, whatever the budget", "[tune]") {
  Bench bench;
  bench.settings.exhaustive = true;
  bench.settings.budget = 0.01;
  bench.settings.most = 300;
  const auto result = bench.run();
  CHECK(result.tried.size() >= 300);
  CHECK(result.tried.size() <= 301);
  for (std::size_t i = 0; i < result.tried.size(); ++i)
    REQUIRE(result.of(result.tried[i].parameters) == &result.tried[i]);
}

TEST_CASE("A condition limits an exhaustive search", "[tune]") {
  Bench bench;
  bench.settings.exhaustive = true;
  bench.settings.only = [](const Parameters& candidate) {
    return candidate.kernels[0].radices == std::vector<unsigned>{16, 16};
  };
  const auto result = bench.run();
  CHECK(result.tried.size() > 10);
  for (const auto& tried : result.tried) {
    if (tried.parameters != bench.first[0])
      CHECK(tried.parameters.kernels[0].radices == std::vector<unsigned>{16, 16});
  }
}

TEST_CASE("A search that is stopped keeps what it has", "[tune]") {
  Bench bench;
  bench.stop = true;
  CHECK(bench.run().best() == nullptr);
  Bench later;
  later.settings.exhaustive = true;
  tune::Callbacks callbacks;
  callbacks.now = [&] { return later.judge.clock; };
  callbacks.stop = [&] { return later.judge.calls >= 20; };
  const auto result = tune::search(later.space, {later.first, {}}, later.cost, later.judge,
                                   later.settings, callbacks);
  CHECK(result.stopped);
  CHECK(result.tried.size() == 20);
  CHECK(result.best() != nullptr);
}
