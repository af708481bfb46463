// This file checks what the model says of cosine transforms that are arranged in local memory.
#include "model/model.hpp"
#include "model/operations.hpp"
#include "plan/lines.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

plan::Program program_of(const Transform& transform) {
  const auto facts = test::large_gpu();
  const auto lines = plan::lines(problem::make_problem(transform), false, {}, facts);
  REQUIRE(lines.size() == 1);
  return plan::make_program(lines[0], facts, plan::complete(lines[0], facts, {}));
}

}  // namespace

TEST_CASE("the model counts what arranged blocks move once, and in the order of memory") {
  const auto program = program_of({.kind = Kind::dct3, .lengths = {8, 8}, .batch = 65536});
  const auto cost = model::predict(program.steps.at(0), program.launches.at(0), test::large_gpu());
  CHECK(cost.load_segment >= 256);
  CHECK(cost.store_segment >= 256);
  CHECK(cost.lines < 2.5);
  CHECK(model::exchanges(program.steps.at(0)) == 3);
  CHECK(model::image_reads(program.steps.at(0)) == 0);
  const auto large = program_of({.kind = Kind::dct3, .lengths = {64, 64}, .batch = 64});
  CHECK(model::image_reads(large.steps.at(0)) == 2);
}
