// This file checks the layouts that plans say they have.
#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

Plan plan_of(const Transform& transform) {
  return Plan(test::default_device().context, test::default_device().device, transform);
}

std::vector<std::string> texts(const Plan& plan) {
  std::vector<std::string> found;
  for (const auto& kernel : plan.sources()) found.push_back(kernel.source);
  return found;
}

TEST_CASE("packed sides have strides, distances and offsets", "[api][layout]") {
  const Plan plan = plan_of({.kind = Kind::real, .lengths = {3, 4, 10}, .batch = 2});
  CHECK(plan.signal_layout() == Layout{{40, 10, 1}, 120, 0});
  CHECK(plan.spectrum_layout() == Layout{{24, 6, 1}, 72, 0});
}

TEST_CASE("rows of reals in place are padded", "[api][layout]") {
  for (const std::size_t length : {9, 10}) {
    Transform t{.kind = Kind::real, .lengths = {4, length}, .batch = 2};
    t.placement = Placement::in_place;
    t.directions = Directions::forward;
    const std::size_t pairs = length / 2 + 1;
    const Plan plan = plan_of(t);
    CHECK(plan.signal_layout() == Layout{{2 * pairs, 1}, 8 * pairs, 0});
    CHECK(plan.spectrum_layout() == Layout{{pairs, 1}, 4 * pairs, 0});
    const HostPlan host(Pool(test::default_device().context, test::default_device().device), t);
    CHECK(host.signal_layout() == plan.signal_layout());
    CHECK(host.spectrum_layout() == plan.spectrum_layout());
  }
}

TEST_CASE("what a caller said stays, and one member has no distance", "[api][layout]") {
  Transform t{.lengths = {4, 5}};
  t.signal = {.strides = {7, 1}, .offset = 3, .storage = Storage::planar};
  const Plan plan = plan_of(t);
  CHECK(plan.signal_layout() == t.signal);
  CHECK(plan.spectrum_layout() == Layout{{5, 1}, 0, 0});
}

TEST_CASE("a transform with a plan's layouts is the same transform", "[api][layout]") {
  Transform t{.kind = Kind::real, .lengths = {4, 9}, .batch = 3};
  t.placement = Placement::in_place;
  const Plan plan = plan_of(t);
  t.signal = plan.signal_layout();
  t.spectrum = plan.spectrum_layout();
  const Plan same = plan_of(t);
  CHECK(texts(same) == texts(plan));
  CHECK(same.signal_bytes() == plan.signal_bytes());
}

}  // namespace
}  // namespace imago
