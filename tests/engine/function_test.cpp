// This file checks which transforms become functions for handwritten kernels. oclgrind_whole checks
// their results: there the attempts of the sparse transform run as one launch.
#include "engine/function.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago {
namespace {

Transform of(std::size_t points, std::size_t batch, Precision precision = Precision::f32) {
  Transform transform;
  transform.lengths = {points};
  transform.batch = batch;
  transform.precision = precision;
  transform.placement = Placement::in_place;
  transform.directions = Directions::forward;
  return transform;
}

TEST_CASE("a transform as a function") {
  const auto facts = test::large_gpu();
  for (const auto precision : {Precision::f32, Precision::f64}) {
    for (const std::size_t points : {256, 512, 1024, 2048, 4096}) {
      CAPTURE(points);
      const auto function = engine::transform_function(of(points, 18, precision), facts, 512);
      REQUIRE(function);
      CHECK(function->source.find("static inline void " + function->name + "(__local ") !=
            std::string::npos);
      CHECK(function->source.find("__kernel") == std::string::npos);
      CHECK(function->source.find("get_group_id") == std::string::npos);
      CHECK(function->local_bytes < facts.local_bytes);
      CHECK(function->groups >= 1);
      CHECK(function->groups <= 18);
    }
  }
}

TEST_CASE("no function if no kernel with such groups computes the transform") {
  auto facts = test::large_gpu();
  CHECK(!engine::transform_function(of(1 << 20, 1), facts, 512));  // more than a kernel holds
  CHECK(!engine::transform_function(of(37, 18), facts, 512));      // seven points for each
  CHECK(!engine::transform_function(of(4096, 18), facts, 2048));   // more than the device allows
  facts.local_bytes = 8192;
  CHECK(!engine::transform_function(of(4096, 18, Precision::f64), facts, 512));
  facts.f64.native = false;
  CHECK_THROWS_AS(engine::transform_function(of(4096, 18, Precision::f64), facts, 512),
                  Unsupported);
}

}  // namespace
}  // namespace imago
