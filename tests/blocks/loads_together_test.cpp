// This file runs kernels whose loads have no conditions and are followed by a fence
// (kernel::WorkGroup::loads_together) on the host interpreter, under every schedule, and compares
// them bitwise with kernels whose idle work-items load nothing.
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/schedules.hpp"

using namespace imago;

namespace {

struct Loaded {
  std::string name;
  std::vector<KernelParameters> kernels;
};

// Lines whose last group has too few, or whose last round has too few butterflies; two kernels
// whose columns do not fill the last tile, with both kinds of factors.
const std::vector<Loaded> kLoaded{
    {"2310*3-f32-in-forward-none",
     {{.length = 2310, .radices = {10, 11, 21}, .items = 110, .columns = 2}}},
    {"2100*1-f32-out-inverse-ortho",
     {{.length = 2100, .radices = {12, 7, 25}, .items = 90, .columns = 1}}},
    {"900*2-f32-in-forward-none",
     {{.length = 30, .radices = {5, 6}, .items = 4, .columns = 8},
      {.length = 30, .radices = {6, 5}, .items = 4, .columns = 16}}},
    {"1050*3-f64-out-inverse-none",
     {{.length = 35, .radices = {5, 7}, .items = 7, .columns = 16},
      {.length = 30, .radices = {6, 5}, .items = 5, .columns = 4, .four_step = Twiddles::product}}},
};

template <class Real>
void check_loads(const Loaded& shape) {
  auto problem = catalogue::parse(shape.name);
  problem.parameters.mapping = Mapping::work_group;
  problem.parameters.kernels = shape.kernels;
  const auto program_for = [&](bool moves_loads) {
    auto facts = test::hopper_gpu();
    facts.compute_unit.moves_loads = moves_loads;
    return test::program_of(problem, facts, Launches::several);
  };
  const auto expected = test::result_of<Real>(program_for(false), problem, {});
  const auto program = program_for(true);
  REQUIRE(program.steps.size() == shape.kernels.size());
  REQUIRE(program.steps.back().group().loads_together);
  for (const auto& schedule : test::schedules())
    CHECK(test::result_of<Real>(program, problem, schedule) == expected);
}

}  // namespace

TEST_CASE("loads without conditions, behind which is a fence, give the same bits") {
  for (const Loaded& shape : kLoaded) {
    CAPTURE(shape.name);
    if (shape.name.find("f64") != std::string::npos)
      check_loads<double>(shape);
    else
      check_loads<float>(shape);
  }
}
