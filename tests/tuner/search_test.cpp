// This file tests the search with a judge that knows every candidate's time.
#include "tuner/search.hpp"

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

/// Time passes only while it measures or compiles.
class FakeJudge : public tuner::Judge {
 public:
  std::vector<bool> build(const std::vector<tuner::Candidate>& candidates, double seconds,
                          const Watch& watch) override {
    const double end = clock + seconds;
    std::vector<bool> done(candidates.size(), false);
    for (std::size_t i = 0; i < candidates.size() && clock < end; ++i) {
      clock += compiling;
      if (!watch(i)) break;
      done[i] = true;
      built.push_back(candidates[i]);
    }
    return done;
  }
  double time(const tuner::Candidate& candidate, const tuner::Timing& timing) override {
    clock += slow;
    ++calls;
    const auto& kernel = candidate.parameters.kernels.at(0);
    CHECK(std::find(built.begin(), built.end(), candidate) != built.end());
    if (hanging_items != 0 && kernel.items == hanging_items) {
      clock += std::min(60.0, timing.patience);
      throw Error("it hung");
    }
    if (broken_columns != 0 && kernel.columns == broken_columns) throw Error("its result is wrong");
    const double seconds = truth(candidate.parameters);
    hopeless += seconds > timing.hopeless;
    return seconds * (1 + 0.01 * std::sin(static_cast<double>(calls)));
  }
  double clock = 0, slow = 0.01, compiling = 0;
  unsigned hanging_items = 0;
  std::size_t calls = 0, hopeless = 0;
  std::vector<tuner::Candidate> built;
  unsigned broken_columns = 0;
};

struct Bench {
  lines::Request request = request_of(256);
  plan::Space space{request, test::large_gpu(), Mapping::work_group};
  std::vector<Parameters> first{plan::complete(request, test::large_gpu(), {})};
  std::vector<Parameters> likely;
  tuner::Cost cost = [](const Parameters& candidate) { return truth(candidate) * 1.3; };
  FakeJudge judge;
  tuner::Settings settings;
  bool stop = false;

  tuner::Subject subject() const {
    return {{.lengths = {request.length}, .batch = 64}, &space, {first, likely}, cost};
  }
  tuner::Result run() {
    return run(
        judge, [this] { return judge.clock; }, [this] { return stop; });
  }
  tuner::Result run(tuner::Judge& other, std::function<double()> now, std::function<bool()> stops) {
    tuner::Result found;
    tuner::Callbacks callbacks;
    callbacks.now = std::move(now);
    callbacks.stop = std::move(stops);
    callbacks.ends = [&](std::size_t, tuner::Result result) { found = std::move(result); };
    tuner::search({subject()}, other, settings, callbacks);
    return found;
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
}

TEST_CASE("A misleading cost is made up for by climbing", "[tune]") {
  Bench bench;
  bench.settings.budget = 30;
  bench.cost = [](const Parameters& candidate) { return 1 / truth(candidate); };
  const auto result = bench.run();
  REQUIRE(result.best() != nullptr);
  CHECK(truth(result.best()->parameters) < 1.2 * bench.least());
  CHECK(bench.judge.hopeless > 0);
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
  class Noisy : public tuner::Judge {
   public:
    Noisy(Parameters own, double others) : own_(std::move(own)), others_(others) {}
    std::vector<bool> build(const std::vector<tuner::Candidate>& candidates, double,
                            const Watch&) override {
      return std::vector<bool>(candidates.size(), true);
    }
    double time(const tuner::Candidate& candidate, const tuner::Timing&) override {
      clock += 0.01;
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      const double noise = 0.03 * static_cast<double>(state_ >> 40) / (1 << 24);
      return 1e-4 * (candidate.parameters == own_ ? 1 : others_) * (1 + noise);
    }
    double clock = 0;

   private:
    Parameters own_;
    double others_;
    std::uint64_t state_ = 1;
  } judge(bench.first[0], real);
  const auto result = bench.run(
      judge, [&] { return judge.clock; }, [] { return false; });
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
  const auto result = later.run(
      later.judge, [&] { return later.judge.clock; }, [&] { return later.judge.calls >= 20; });
  CHECK(result.stopped);
  CHECK(result.tried.size() == 20);
  CHECK(result.best() != nullptr);
}

TEST_CASE("Candidates of several problems are compiled before any is timed, in turns", "[tune]") {
  Bench bench;
  bench.settings.batch = 4;
  bench.settings.budget = 1;
  bench.judge.compiling = 0.03;  // the first ones of both problems, not all
  std::vector<tuner::Subject> subjects(2, bench.subject());
  subjects[1].problem.batch = 1;
  std::vector<std::size_t> tried(2);
  tuner::Callbacks callbacks;
  callbacks.now = [&] { return bench.judge.clock; };
  callbacks.stop = [&] { return false; };
  callbacks.ends = [&](std::size_t i, tuner::Result result) {
    tried.at(i) = result.tried.size();
    CHECK(result.best() != nullptr);
  };
  tuner::search(subjects, bench.judge, bench.settings, callbacks);
  REQUIRE(bench.judge.built.size() >= 8);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(bench.judge.built[i].problem == subjects[i % 2].problem);
  CHECK(tried[0] >= 4);
  CHECK(tried[1] >= 4);
}

TEST_CASE("A search ends by itself when nothing near the best is faster", "[tune]") {
  Bench bench;
  bench.settings.budget = 1e6;
  const auto result = bench.run();
  REQUIRE(result.best() != nullptr);
  CHECK(truth(result.best()->parameters) <= bench.least() * 1.01);
  CHECK(result.tried.size() < 200);
  CHECK(result.tried.size() < bench.space.size() / 2);
}

TEST_CASE("Candidates near the best are timed in turns more than once", "[tune]") {
  Bench bench;
  bench.settings.budget = 30;
  const auto result = bench.run();
  std::size_t several = 0;
  for (const auto& tried : result.tried) {
    if (tried.finalist) CHECK(tried.samples == bench.settings.rounds);
    several += !tried.finalist && tried.samples >= 3;
  }
  CHECK(several > 0);
}

TEST_CASE("A search that is stopped in the first rounds of its finals has no best", "[tune]") {
  Bench bench;
  bench.settings.budget = 30;
  const auto whole = bench.run();
  REQUIRE(whole.best() != nullptr);
  // The last rounds have six finalists: imago's own choice and five others, or fewer.
  const std::size_t all = bench.judge.calls, early = all - 6 * (bench.settings.rounds - 3);
  Bench stopped;
  stopped.settings.budget = 30;
  const auto result = stopped.run(
      stopped.judge, [&] { return stopped.judge.clock; },
      [&] { return stopped.judge.calls >= early; });
  CHECK(result.stopped);
  CHECK(result.best() == nullptr);
}
