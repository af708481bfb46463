// This file tests which transforms the vector mapping processes two at a time.
#include "plan/vector/abreast.hpp"

#include "plan/make_program.hpp"
#include "support/catch.hpp"

#include "plan/planner.hpp"
#include "support/facts.hpp"

namespace imago::plan {
namespace {

TEST_CASE("passes that fill half of the vectors, and no pass more") {
  CHECK(fill_half({8, 8}, 16));
  CHECK(fill_half({16, 8}, 16));
  CHECK(fill_half({8, 16}, 16));
  CHECK(fill_half({3, 8, 8}, 16));
  CHECK(fill_half({4, 4}, 8));
  CHECK_FALSE(fill_half({16, 16}, 16));  // all of them are full
  CHECK_FALSE(fill_half({8, 8}, 8));
  CHECK_FALSE(fill_half({8, 8, 8, 8}, 16));  // two passes would have twice the lanes
  CHECK_FALSE(fill_half({4, 16}, 16));       // four finished digits
  CHECK_FALSE(fill_half({16, 4}, 16));       // four columns remain
  CHECK_FALSE(fill_half({2, 2}, 2));         // vectors of one
  CHECK_FALSE(fill_half({16}, 16));
}

lines::Request packed_lines(std::uint64_t length) {
  lines::Request request;
  request.length = length;
  request.batch = 100;
  request.in.distance = request.out.distance = length;
  return request;
}

kernel::Step step_of(const lines::Request& request, const KernelParameters& kernel = {}) {
  Parameters wish;
  wish.mapping = Mapping::vector;
  wish.kernels = {kernel};
  const auto facts = test::wide_cpu();
  return make_program(request, facts, complete(request, facts, wish)).steps.at(0);
}

TEST_CASE("two transforms share vectors of 16") {
  for (const std::uint64_t length : {64, 128}) {
    const kernel::Step step = step_of(packed_lines(length));
    CHECK(step.tile == 2);
    CHECK(step.vectors().abreast == 2);
    CHECK_FALSE(step.lanes_are_columns());
    for (const kernel::Pass& pass : step.passes) CHECK(pass.width == 8);
  }
  CHECK(step_of(packed_lines(64), {.radices = {8, 8}, .lanes = 8}).tile == 1);
  CHECK(step_of(packed_lines(256)).vectors().abreast == 1);
}

TEST_CASE("transforms that are no bare rows are taken one by one") {
  const KernelParameters kernel{
      .length = 64, .radices = {8, 8}, .lanes = 16, .axis = LaneAxis::points};
  REQUIRE(step_of(packed_lines(64), kernel).tile == 2);
  lines::Request apart = packed_lines(64);
  apart.in.stride = 2, apart.in.distance = 128;
  CHECK(step_of(apart, kernel).tile == 1);
  lines::Request planar = packed_lines(64);
  planar.out.planar = true;
  CHECK(step_of(planar, kernel).tile == 1);
  lines::Request half = packed_lines(64);
  half.precision = Precision::f16;
  CHECK(step_of(half, kernel).tile == 1);
  lines::Request axes = packed_lines(64);
  axes.axes = {8, 8};
  CHECK(step_of(axes, kernel).tile == 1);
  // Gaps between them do not matter.
  lines::Request gaps = packed_lines(64);
  gaps.in.distance = 70;
  CHECK(step_of(gaps, kernel).tile == 2);
}

}  // namespace
}  // namespace imago::plan
