// This file checks what the model says of cosine transforms that are arranged in local memory.
#include "model/model.hpp"
#include "model/operations.hpp"
#include "plan/lines.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

plan::Program program_of(const Transform& transform, const Parameters& wish = {}) {
  const auto facts = test::large_gpu();
  const auto lines = plan::lines(problem::make_problem(transform), false, {}, facts);
  REQUIRE(lines.size() == 1);
  return plan::make_program(lines[0], facts, plan::complete(lines[0], facts, wish));
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

TEST_CASE("arranged blocks exchange in fewer cycles where 16 points lie side by side") {
  const Transform blocks{.kind = Kind::dct2, .lengths = {64, 64}, .batch = 8192};
  const auto seconds = [](const plan::Program& program) {
    return model::predict(program.steps.at(0), program.launches.at(0), test::large_gpu()).exchange;
  };
  const auto chosen = program_of(blocks);
  CHECK(chosen.steps.at(0).passes.at(0).radix == 4);
  CHECK(chosen.steps.at(0).passes.at(1).radix == 16);
  const auto eights =
      program_of(blocks, {.mapping = Mapping::work_group,
                          .kernels = {{.length = 4096, .radices = {8, 8, 8, 8}, .items = 512}}});
  CHECK(seconds(chosen) < 0.8 * seconds(eights));
}
