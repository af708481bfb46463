// This file tests a session of the tuner with a device model, and a judge that invents times.
#include "tuner/session.hpp"

#include <algorithm>
#include <stdexcept>

#include <imago/error.hpp>

#include "profile/file.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/folder.hpp"

using namespace imago;

namespace {

/// A judge by which more work-items are faster.
class FakeJudge : public tuner::Judge {
 public:
  std::vector<bool> build(const std::vector<tuner::Candidate>& candidates, double,
                          const Watch&) override {
    together = std::max(together, candidates.size());
    return std::vector<bool>(candidates.size(), true);
  }
  double time(const tuner::Candidate& candidate, const tuner::Timing&) override {
    return 1e-3 / (1 + candidate.parameters.kernels.at(0).items);
  }
  std::size_t together = 0;  ///< most candidates that were compiled side by side
};

class Notes : public tuner::Observer {
 public:
  bool stops() const override { return stop; }
  void measures_device() override { ++measured; }
  void begins(const std::vector<profile::ProblemClass>& problems) override {
    for (const auto& problem : problems) begun.push_back(problem.shape());
  }
  void builds(std::size_t, std::size_t) override {}
  void tries(const profile::ProblemClass&, std::size_t, std::size_t, double) override {}
  void ends(const tuner::Tuned& tuned) override {
    ended.push_back(tuned.problem.shape());
    stop = stop_after_one;
  }
  void disturbed(const std::string& what) override { complaints.push_back(what); }
  void leaves_out(const std::vector<profile::ProblemClass>& classes, double seconds) override {
    left = classes.size(), needed = seconds;
  }
  std::vector<std::string> begun, ended, complaints;
  std::size_t left = 0, measured = 0;
  double needed = 0;
  bool stop = false, stop_after_one = false;
};

/// Returns a profile with the device's rates.
profile::Profile calibrated() {
  profile::Profile profile;
  profile.device = profile::device_of(test::large_gpu());
  profile.rates = test::large_gpu().rates;
  profile.rates.copy_bytes = 3e12;
  return profile;
}

struct Bench {
  test::Folder folder;
  std::filesystem::path path = folder.path() / "device.json";
  FakeJudge judge;
  Notes notes;
  tuner::Wishes wishes;

  Bench() {
    profile::save(path, calibrated());
    wishes.shapes = {{64}, {16, 16}};
    wishes.search.exhaustive = true;  // independent of time
    wishes.search.most = 3;
    wishes.search.rounds = 2;
  }
  tuner::Session session() {
    return {wishes, test::large_gpu(), {path, profile::load(path)}, judge, notes};
  }
};

TEST_CASE("a session keeps the best of each problem in the profile", "[tune][session]") {
  Bench bench;
  auto session = bench.session();
  session.measure_rates(nullptr);  // they are known, so no device is needed
  CHECK(bench.notes.measured == 0);
  CHECK(session.facts().rates.copy_bytes == 3e12);
  session.run();
  CHECK(bench.notes.begun == std::vector<std::string>{"64", "16x16"});
  CHECK(bench.notes.ended == bench.notes.begun);
  const auto profile = profile::load(bench.path);
  REQUIRE(profile.entries.size() == 2);
  REQUIRE(session.tuned().size() == 2);
  for (const auto& tuned : session.tuned()) {
    const auto* best = tuned.result.best();
    REQUIRE(best);
    const bool kept = std::any_of(
        profile.entries.begin(), profile.entries.end(), [&](const profile::Entry& entry) {
          return entry.problem == tuned.problem && entry.parameters == best->parameters;
        });
    CHECK(kept);
  }
}

TEST_CASE("a session resumes with what is not done", "[tune][session]") {
  Bench bench;
  bench.notes.stop_after_one = true;
  bench.session().run();
  CHECK(bench.notes.ended == std::vector<std::string>{"64"});
  CHECK(bench.session().pending().size() == 2);
  bench.wishes.resume = true;
  const auto pending = bench.session().pending();
  REQUIRE(pending.size() == 1);
  CHECK(pending[0].shape() == "16x16");
}

TEST_CASE("a session compiles the candidates of several problems side by side", "[tune][session]") {
  Bench bench;
  bench.wishes.search.exhaustive = false;
  bench.wishes.search.batch = 4;
  bench.wishes.budget = 1e6;
  bench.session().run();
  CHECK(bench.judge.together == 8);
  CHECK(profile::load(bench.path).entries.size() == 2);
  CHECK(bench.notes.left == 0);
}

TEST_CASE("a session says what its budget is too small for", "[tune][session]") {
  Bench bench;
  bench.wishes.search.exhaustive = false;
  bench.wishes.budget = 0;
  bench.session().run();
  CHECK(bench.notes.left == 2);
  CHECK(bench.notes.begun.empty());
}

TEST_CASE("a problem that cannot be tuned is refused before any is tuned", "[tune][session]") {
  Bench bench;
  bench.wishes.shapes = {{8}, {0}};
  CHECK_THROWS_AS(bench.session().run(), InvalidArgument);
  CHECK(bench.notes.begun.empty());
}

TEST_CASE("rates that scatter are measured again, and kept when they do not", "[tune]") {
  Bench bench;
  const int steady_at = GENERATE(3, 100);
  std::filesystem::remove(bench.path);
  int measured = 0;
  tuner::Session session(bench.wishes, test::large_gpu(), {bench.path, {}}, bench.judge,
                         bench.notes);
  session.measure_rates(
      [&] {
        tuner::Calibration found;
        found.rates.copy_bytes = ++measured == 2 ? 4e12 : 1e12;
        found.scatter = measured < steady_at ? 0.8 : 0.02;
        return found;
      },
      std::chrono::seconds(0));
  CHECK(session.facts().rates.copy_bytes == 4e12);  // disturbances only reduce rates
  if (steady_at == 3) {
    CHECK(measured == 3);
    CHECK(bench.notes.complaints.empty());
    CHECK(profile::load(bench.path).rates.copy_bytes == 4e12);
  } else {
    CHECK(measured == 4);
    REQUIRE(bench.notes.complaints.size() == 1);
    CHECK_THAT(bench.notes.complaints[0], test::ContainsSubstring("scatter by 80 %"));
    CHECK_FALSE(std::filesystem::exists(bench.path));
  }
}

TEST_CASE("rates of a busy machine do not replace good ones", "[tune]") {
  Bench bench;
  device::Rates known;
  known.copy_bytes = 42e9;
  const auto measured = [](double rate) {
    return [rate] {
      tuner::Calibration found;
      found.rates.copy_bytes = rate;
      return found;
    };
  };
  const auto session_with = [&](std::optional<profile::Profile> before, bool busy) {
    return tuner::Session(bench.wishes, test::large_gpu(), {bench.path, before, known, busy},
                          bench.judge, bench.notes);
  };
  std::filesystem::remove(bench.path);
  SECTION("much slower than a profile's") {
    auto session = session_with({}, false);
    session.measure_rates(measured(6.7e9), std::chrono::seconds(0));
    CHECK(session.facts().rates.copy_bytes == 42e9);
    CHECK_FALSE(std::filesystem::exists(bench.path));
    REQUIRE(bench.notes.complaints.size() == 1);
    CHECK_THAT(bench.notes.complaints[0],
               test::ContainsSubstring("6 GB/s, where a profile has 42"));
  }
  SECTION("while other programs compute") {
    auto session = session_with({}, true);
    session.measure_rates(measured(40e9), std::chrono::seconds(0));
    CHECK(session.facts().rates.copy_bytes == 40e9);
    CHECK_FALSE(std::filesystem::exists(bench.path));
    CHECK(bench.notes.complaints.size() == 1);
  }
  SECTION("an earlier session's are measured again") {
    auto slow = calibrated();
    slow.rates.copy_bytes = 9e9;
    auto session = session_with(slow, false);
    session.measure_rates(measured(41e9), std::chrono::seconds(0));
    CHECK(profile::load(bench.path).rates.copy_bytes == 41e9);
    CHECK(bench.notes.complaints.empty());
  }
}

TEST_CASE("no copy rate is kept that a winner beats", "[tune]") {
  Bench bench;
  auto slow = calibrated();
  slow.rates.copy_bytes = 2.8e9;
  profile::save(bench.path, slow);
  auto session = bench.session();
  session.measure_rates([]() -> tuner::Calibration { throw std::logic_error("it is known"); });
  session.run();
  const auto after = profile::load(bench.path);
  REQUIRE(!after.entries.empty());
  for (const auto& entry : after.entries) {
    const double bytes = 8.0 * static_cast<double>(entry.problem.points() * entry.problem.batch);
    CHECK(after.rates.copy_bytes >= 0.999 * 2 * bytes / entry.seconds);
  }
  REQUIRE(!bench.notes.complaints.empty());
  CHECK_THAT(bench.notes.complaints[0], test::ContainsSubstring("the larger one counts"));
}

TEST_CASE("a session ignores another device's profile", "[tune][session]") {
  Bench bench;
  bench.session().run();
  bench.wishes.resume = true;
  CHECK(bench.session().pending().empty());
  auto other = test::large_gpu();
  other.name = "another";
  const tuner::Session session(bench.wishes, other, {bench.path, profile::load(bench.path)},
                               bench.judge, bench.notes);
  CHECK(session.pending().size() == 2);
}

}  // namespace
