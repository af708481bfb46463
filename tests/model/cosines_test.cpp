// This file checks the model for cosine transforms that are arranged in local memory.
#include "model/model.hpp"
#include "model/operations.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

kernel::Program program_of(const Transform& transform, const Parameters& wish = {}) {
  const auto facts = test::large_gpu();
  const auto lines = plan::lines_of(problem::make_problem(transform), false, {}, facts);
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
  CHECK(model::partner_reads(program.steps.at(0)) == 0);
}

TEST_CASE("the model counts exchanges of mirror images where couples do without them") {
  const auto step = [](std::vector<unsigned> radices, unsigned items) {
    const Parameters wish{
        .mapping = Mapping::work_group,
        .kernels = {{.length = 2048, .radices = std::move(radices), .items = items}}};
    const Transform blocks{.kind = Kind::dct2, .lengths = {64, 64}, .batch = 64};
    return program_of(blocks, wish).steps.at(0);
  };
  // The exchanges are one that loads elements in the order of memory, and those between passes. The
  // points are stored directly.
  const auto coupled = step({4, 8, 8, 8}, 128);
  CHECK(model::partner_reads(coupled) == 0);
  CHECK(model::exchanges(coupled) == 4);
  const auto others = step({2, 16, 4, 16}, 128);
  CHECK(model::partner_reads(others) == 2);
  CHECK(model::exchanges(others) == 4);
  const auto lines = program_of({.kind = Kind::dct3, .lengths = {1u << 20}, .batch = 64});
  CHECK(model::exchanges(lines.steps.at(0)) == lines.steps.at(0).passes.size());
}

TEST_CASE("elements of mirrored columns lie side by side") {
  const auto program = program_of({.kind = Kind::dct2, .lengths = {1u << 16}, .batch = 64});
  const auto cost = model::predict(program.steps.at(0), program.launches.at(0), test::large_gpu());
  CHECK(cost.load_segment == 4.0 * program.steps.at(0).tile);
}
