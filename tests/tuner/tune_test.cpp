// This file tests tune() on the tests' device.
#include <imago/tune.hpp>

#include <algorithm>

#include <imago/error.hpp>
#include <imago/plan.hpp>

#include "profile/file.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"

namespace imago {
namespace {

TEST_CASE("a plan uses what tune() measured", "[tune]") {
  const auto& device = test::default_device();
  const test::Folder folder;
  const Transform transform{.lengths = {60}, .batch = 100};
  std::size_t reports = 0, most = 0;
  TuneOptions options;
  options.seconds = 3;
  options.profile_directory = folder.path();
  options.progress = [&](std::size_t, std::size_t total) {
    ++reports;
    most = std::max(most, total);
  };
  TunedTransform tuned = tune(device.context, device.device, transform, options);
  // On a busy machine the time may be too short for a result, or for a second candidate.
  for (int i = 0; i < 4 && (!tuned.stored || tuned.tried < 2); ++i) {
    options.seconds *= 2;
    tuned = tune(device.context, device.device, transform, options);
  }
  REQUIRE(tuned.stored);
  CHECK(tuned.seconds > 0);
  CHECK(tuned.gain >= 1);
  CHECK(tuned.tried > 1);
  CHECK(reports > 3);
  CHECK(most > 1);
  const auto profile = profile::load(tuned.profile);
  REQUIRE(profile.entries.size() == 1);
  CHECK(profile.entries[0].parameters == tuned.parameters);
  Options planning;
  planning.profile_directory = folder.path();
  const Plan plan(device.context, device.device, transform, planning);
  CHECK_THAT(plan.describe(), test::ContainsSubstring("profile " + folder.path().string()));
}

TEST_CASE("tune() that is stopped stores nothing", "[tune]") {
  const auto& device = test::default_device();
  const test::Folder folder;
  TuneOptions options;
  options.profile_directory = folder.path();
  options.stop = [] { return true; };
  const auto tuned = tune(device.context, device.device, {.lengths = {60}}, options);
  CHECK(!tuned.stored);
  CHECK(tuned.seconds == 0);
}

TEST_CASE("tune() says which transforms a tuning file cannot have", "[tune]") {
  const auto& device = test::default_device();
  const test::Folder folder;  // for a result if the transform is not refused
  TuneOptions options;
  options.profile_directory = folder.path();
  const auto refused = [&](const Transform& transform, const char* said) {
    CHECK_THROWS_WITH(tune(device.context, device.device, transform, options),
                      test::ContainsSubstring(said));
  };
  refused({.lengths = {}}, "lengths");
  Transform apart{.lengths = {60}, .batch = 2};
  apart.signal.distance = 100;
  refused(apart, "not packed");
  Transform mixed{.lengths = {8, 8}};
  mixed.axes = {Kind::dct2, Kind::dct3};
  refused(mixed, "several kinds");
  options.seconds = 0;
  CHECK_THROWS_AS(tune(device.context, device.device, {.lengths = {60}}, options), InvalidArgument);
}

}  // namespace
}  // namespace imago
