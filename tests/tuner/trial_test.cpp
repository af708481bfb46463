// This file checks that candidates are verified and timed on the tests' device.
#include "tuner/trial.hpp"

#include "support/catch.hpp"

#include "engine/composition.hpp"
#include "runtime/facts.hpp"
#include "support/device.hpp"

namespace imago {
namespace {

TEST_CASE("long real lines are verified as they are timed: folded, one for each core of a CPU",
          "[tune]") {
  const auto& device = test::default_device();
  const auto facts = runtime::reported_facts(device.device());
  Transform transform;
  transform.lengths = {65536}, transform.kind = Kind::real;
  transform.placement = Placement::in_place;
  transform.batch = 2 * facts.compute_units;
  transform.directions = Directions::both;
  Options options;
  options.profiles = false;
  const auto own = engine::decide(transform, facts, options).forward->parameters();
  tuner::Trial trial(device.context, device.device, transform, {});
  CHECK(trial.time(own, {.seconds = 0.001}) > 0);
}

TEST_CASE("candidates of a batch of cosines keep members of different sizes apart", "[tune]") {
  const auto& device = test::default_device();
  const auto facts = runtime::reported_facts(device.device());
  Transform transform;
  transform.lengths = {64}, transform.kind = GENERATE(Kind::dct2, Kind::dct3, Kind::dst1);
  transform.batch = 3, transform.directions = Directions::forward;
  Options options;
  options.profiles = false;
  const auto own = engine::decide(transform, facts, options).forward->parameters();
  tuner::Trial trial(device.context, device.device, transform, {});
  CHECK(trial.time(own, {.seconds = 0.001}) > 0);
}

}  // namespace
}  // namespace imago
