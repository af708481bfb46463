// This file runs kernels whose points stay in local memory (Exchange::in_place) on the host
// interpreter, under every schedule, and compares them bitwise with kernels that exchange
// registers: both compute the same butterflies.
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/schedules.hpp"

using namespace imago;

namespace {

struct Shape {
  std::string name;
  std::vector<unsigned> radices;
  unsigned items, columns;
};

// One axis and two; work-items with one butterfly, several, and a last round in which some are
// idle; first digits with and without padding; several columns, the last of them missing.
const std::vector<Shape> kShapes{
    {"64*2-f32-out-forward-none", {8, 8}, 8, 1},
    {"512*1-f32-in-inverse-ortho", {8, 8, 8}, 16, 1},
    {"360*3-f64-out-forward-none", {5, 6, 12}, 20, 2},
    {"1024*2-f32-in-forward-none", {4, 16, 16}, 32, 1},
    {"945*1-f32-out-inverse-none", {9, 7, 15}, 32, 1},
    {"2310*1-f64-in-forward-none", {2, 3, 5, 7, 11}, 64, 1},
    {"12x20*3-f32-out-forward-none", {12, 4, 5}, 10, 1},
    {"24x35*2-f64-in-inverse-ortho", {4, 6, 5, 7}, 32, 1},
    {"16x16*2-f32-in-forward-none", {4, 4, 2, 8}, 16, 2},
};

template <class Real>
void check(const Shape& shape) {
  auto problem = catalogue::parse(shape.name);
  std::size_t length = 1;
  for (const auto n : problem.lengths) length *= n;
  problem.parameters.mapping = Mapping::work_group;
  problem.parameters.algorithm = Algorithm::single;
  problem.parameters.kernels = {
      {.length = length, .radices = shape.radices, .items = shape.items, .columns = shape.columns}};
  KernelParameters& kernel = problem.parameters.kernels[0];
  const auto program_with = [&](Exchange exchange) {
    kernel.exchange = exchange;
    return test::program_of(problem, test::hopper_gpu(), Launches::several);
  };
  const auto expected = test::result_of<Real>(program_with(Exchange::interleaved), problem, {});
  const auto program = program_with(Exchange::in_place);
  REQUIRE(program.steps.size() == 1);
  REQUIRE(program.steps[0].group().exchange == Exchange::in_place);
  for (const auto& schedule : test::schedules())
    CHECK(test::result_of<Real>(program, problem, schedule) == expected);
}

}  // namespace

TEST_CASE("points that stay in local memory have the bits of those that are exchanged") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.name);
    if (shape.name.find("f64") != std::string::npos)
      check<double>(shape);
    else
      check<float>(shape);
  }
}

TEST_CASE("lines up to the size of local memory are one kernel") {
  const auto facts = test::hopper_gpu();
  for (const std::string name :
       {"20000*1000-f32-out-forward-none", "28672*1000-f32-in-inverse-none",
        "28900*1000-f32-out-forward-none", "14400*1000-f64-out-forward-none"}) {
    CAPTURE(name);
    const auto program = test::program_of(catalogue::parse(name), facts, Launches::automatic);
    REQUIRE(program.steps.size() == 1);
    CHECK(program.steps[0].group().exchange == Exchange::in_place);
    CHECK(program.steps[0].local_bytes() <= facts.local_bytes);
  }
  const auto longer = catalogue::parse("29400*1000-f32-out-forward-none");
  CHECK(test::program_of(longer, facts, Launches::several).steps.size() == 2);
}
