// This file tests which passes of the vector mapping are computed in pairs.
#include "plan/vector/joins.hpp"
#include "plan/make_program.hpp"

#include "support/catch.hpp"

#include "plan/planner.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

using Radices = std::vector<unsigned>;

TEST_CASE("radices to join make two blocks that a first-level cache holds") {
  CHECK(radices_to_join(4096, 16, Precision::f32) == Radices{8, 8, 8, 8});
  CHECK(radices_to_join(8192, 16, Precision::f32) == Radices{16, 8, 8, 8});
  CHECK(radices_to_join(16384, 16, Precision::f32) == Radices{16, 8, 16, 8});
  // Half precision is computed in f32.
  CHECK(radices_to_join(4096, 16, Precision::f16) == Radices{8, 8, 8, 8});
}

TEST_CASE("passes are not joined if they fit the cache, need larger blocks or measured slower") {
  CHECK(radices_to_join(2048, 16, Precision::f32).empty());
  CHECK(radices_to_join(65536, 16, Precision::f32).empty());
  CHECK(radices_to_join(10000, 16, Precision::f32).empty());
  CHECK(radices_to_join(16384, 8, Precision::f64).empty());
}

kernel::Step step_of(std::uint64_t length, Parameters wish = {}) {
  lines::Request request;
  request.length = length;
  request.batch = 100;
  request.in.distance = request.out.distance = length;
  const auto facts = test::wide_cpu();
  wish.mapping = Mapping::vector;
  return make_program(request, facts, complete(request, facts, wish)).steps.at(0);
}

TEST_CASE("two passes run along q and two along k") {
  const auto passes = step_of(4096).passes;
  REQUIRE(passes.size() == 4);
  CHECK(passes[0].joined);
  CHECK_FALSE(passes[1].joined);
  CHECK(passes[2].joined);
  CHECK_FALSE(passes[3].joined);
  CHECK(passes[1].lane == kernel::Lane::q);
  CHECK(passes[2].lane == kernel::Lane::k);
  CHECK(passes[3].lane == kernel::Lane::k);
  for (const kernel::Pass& pass : passes) CHECK(pass.width == 16);
}

TEST_CASE("other radices and lanes stay as they are") {
  const auto joined = [](const kernel::Step& step) {
    bool any = false;
    for (const kernel::Pass& pass : step.passes) any = any || pass.joined;
    return any;
  };
  const auto wish = [](Radices radices, LaneAxis axis) {
    KernelParameters kernel;
    kernel.length = 4096, kernel.radices = std::move(radices), kernel.axis = axis;
    Parameters parameters;
    parameters.kernels = {kernel};
    return parameters;
  };
  CHECK(joined(step_of(4096, wish({8, 8, 8, 8}, LaneAxis::points))));
  CHECK(joined(step_of(4096, wish({4, 16, 8, 8}, LaneAxis::points))));
  CHECK_FALSE(joined(step_of(4096, wish({16, 16, 16}, LaneAxis::points))));
  CHECK_FALSE(joined(step_of(4096, wish({8, 8, 8, 8}, LaneAxis::columns))));
  CHECK_FALSE(joined(step_of(4096, wish({2, 2, 32, 32}, LaneAxis::points))));  // too large a block
  CHECK_FALSE(joined(step_of(1024)));
}

}  // namespace
}  // namespace imago::plan
