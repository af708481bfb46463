// This file tests a session of the tuner on a device that is not there, against a judge that
// invents times.
#include "tune/session.hpp"

#include <algorithm>

#include <imago/error.hpp>

#include "profile/file.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/folder.hpp"

using namespace imago;

namespace {

/// The more work-items the faster.
class FakeJudge : public tune::Judge {
 public:
  void expect(const std::vector<Parameters>&) override {}
  double time(const Parameters& candidate, double) override {
    return 1e-3 / (1 + candidate.kernels.at(0).items);
  }
};

class Notes : public tune::Observer {
 public:
  bool stops() const override { return stop; }
  void measures_device() override { ++measured; }
  void begins(const profile::ProblemClass& problem) override { begun.push_back(problem.shape()); }
  void tries(const profile::ProblemClass&, std::size_t, std::size_t, double) override {}
  void ends(const tune::Tuned& tuned) override {
    ended.push_back(tuned.problem.shape());
    stop = stop_after_one;
  }
  void leaves_out(const std::vector<profile::ProblemClass>& classes) override {
    left = classes.size();
  }
  std::vector<std::string> begun, ended;
  std::size_t left = 0, measured = 0;
  bool stop = false, stop_after_one = false;
};

/// A profile in which the device's rates are known.
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
  tune::Wishes wishes;

  Bench() {
    profile::save(path, calibrated());
    wishes.shapes = {{64}, {16, 16}};
    wishes.search.exhaustive = true;  // no clock decides
    wishes.search.most = 3;
    wishes.search.rounds = 2;
  }
  tune::Session session() {
    return {wishes, test::large_gpu(), {path, profile::load(path)}, judge, notes};
  }
};

TEST_CASE("a session keeps the best of each problem in the profile", "[tune][session]") {
  Bench bench;
  auto session = bench.session();
  session.measure_rates(nullptr);  // they are known: no device is asked
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

TEST_CASE("what another device's profile holds counts for nothing", "[tune][session]") {
  Bench bench;
  bench.session().run();
  bench.wishes.resume = true;
  CHECK(bench.session().pending().empty());
  auto other = test::large_gpu();
  other.name = "another";
  const tune::Session session(bench.wishes, other, {bench.path, profile::load(bench.path)},
                              bench.judge, bench.notes);
  CHECK(session.pending().size() == 2);
}

}  // namespace
