// This file runs programs with one launch on the host interpreter, under every schedule, and
// compares them bitwise with the same kernels in separate launches.
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/schedules.hpp"

using namespace imago;

namespace {

// One of each family: hierarchies, several axes, real and cosine axes, convolutions; in place, with
// an odd batch, in either direction.
const std::vector<std::string> kOnCpus{"256*3-f32-out-forward-none-vector-hierarchy",
                                       "4096*1-f64-in-inverse-ortho-vector-hierarchy",
                                       "24x40*3-f32-in-forward-none-vector-hierarchy",
                                       "8x12x10*2-f32-out-inverse-backward-real-vector-hierarchy",
                                       "30x24*1-f32-out-forward-none-dct2-vector-hierarchy",
                                       "360*2-f32-out-forward-none-real-vector-hierarchy",
                                       "101*2-f32-out-forward-none-vector-bluestein-k16-k16",
                                       "256*5-f32-out-forward-none-vector-global"};
const std::vector<std::string> kOnGpus{
    "256*3-f32-out-forward-none-work_group-hierarchy-k16:i4:c8-k16:i4:c8",
    "1024*1-f64-in-inverse-ortho-work_group-hierarchy-k32:i8:c4-k32:i8:c4",
    "512*2-f32-in-forward-none-work_group-hierarchy-k32:i8:c4-k16:i4:c8",
    "16x32*3-f32-in-forward-none-work_group-hierarchy-k32:i8:c4-k16:i4:c8",
    "101*2-f32-out-forward-none-work_group-bluestein-k16:i4:c8-k16:i4:c8"};

kernel::Program program_of(const std::string& name, const device::Facts& facts) {
  return test::program_of(catalogue::parse(name), facts, Launches::one);
}

template <class Real>
void check(const std::string& name, const kernel::Program& one) {
  const auto problem = catalogue::parse(name);
  auto several = one;
  several.one_launch = false;
  const auto expected = test::result_of<Real>(several, problem, {});
  for (const auto& schedule : test::schedules())
    CHECK(test::result_of<Real>(one, problem, schedule) == expected);
}

void check(const std::vector<std::string>& names, device::Facts facts) {
  facts.waiting = "CL3.0";
  for (const auto& name : names) {
    CAPTURE(name);
    const auto program = program_of(name, facts);
    REQUIRE(program.one_launch);
    REQUIRE(kernel::kernels_of(program).size() == 1);
    if (name.find("f64") != std::string::npos)
      check<double>(name, program);
    else
      check<float>(name, program);
  }
}

}  // namespace

TEST_CASE("one launch is several, on CPUs") { check(kOnCpus, test::wide_cpu()); }
TEST_CASE("one launch is several, on GPUs") { check(kOnGpus, test::large_gpu()); }

TEST_CASE("if one launch is impossible, the exception gives the reason") {
  auto facts = test::large_gpu();
  Options options;
  options.profiles = false;
  options.parameters = {.algorithm = Algorithm::hierarchy,
                        .kernels = {{.length = 32, .items = 8, .columns = 4},
                                    {.length = 16, .items = 4, .columns = 4}},
                        .launches = Launches::one};
  Transform transform;
  transform.lengths = {512};
  transform.batch = 8;
  CHECK_THROWS_WITH(engine::decide(transform, facts, options),
                    test::ContainsSubstring("cannot wait for each other"));
  facts.waiting = "CL3.0";
  CHECK_THROWS_WITH(engine::decide(transform, facts, options),
                    test::ContainsSubstring("parameters.launches is one"));
  options.parameters.kernels[1].columns = 8;
  CHECK(engine::decide(transform, facts, options).forward->program.one_launch);
  options.parameters.launches = Launches::several;
  CHECK(!engine::decide(transform, facts, options).forward->program.one_launch);
}
