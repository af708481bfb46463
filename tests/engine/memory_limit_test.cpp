// This file tests plans with limited scratch memory: their results on a device against FFTW, and
// the errors if the limit is too small.
#include <algorithm>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/facts.hpp"

using namespace imago;
using catalogue::Case;
using test::ContainsSubstring;

namespace {

/// Batches that need scratch: chains, convolutions, in place between layouts, several axes.
const char* const kCases[] = {
    "4096*37-f32-in-forward-none-hierarchy",
    "4096*7-f32-out-inverse-backward-work_group-hierarchy-k32-k16-k8",
    "1000*50-f32-in-inverse-ortho-hierarchy",
    "4096*9-f16-in-forward-none-hierarchy",
    "509*33-f32-in-forward-none-bluestein-k32-k32",
    "509*20-f32-out-forward-ortho-work_group-bluestein-k32-k40",
    "64x48*9-f32-in-forward-none-hierarchy",
    "48x64*11-f32-out-inverse-backward-real",
    "30x40x22*5-f64-out-inverse-none-real-s3+2-t5+1",
    "4096*6-f32-out-forward-none-real-hierarchy",
    "4096*6-f32-in-inverse-none-real-hierarchy",
    "1000*12-f32-in-forward-none-s0+3:planar-t0+3:planar-hierarchy",
    "60x17*13-f32-in-forward-none-axes_ci-hierarchy",
    "1024*40-f32-in-forward-none-s0:40/1-t0:40/1-hierarchy",
    "64x48*9-f32-in-forward-none-s0:48.1/3072-t0:1.64/3072",
};

std::size_t workspace_bytes(const Case& problem, const Options& options) {
  return estimate(test::default_device().device, problem.transform(), options).workspace_bytes;
}

}  // namespace

TEST_CASE("batches in chunks are transformed as at once", "[long]") {
  const auto& device = test::default_device();
  const Case problem = catalogue::parse(GENERATE(from_range(std::begin(kCases), std::end(kCases))));
  CAPTURE(problem.name());
  Options options;
  options.parameters = problem.parameters;
  const std::size_t whole = workspace_bytes(problem, options);
  REQUIRE(whole > 0);
  for (const std::size_t members : {problem.batch / 2, std::uint64_t{2}, std::uint64_t{1}}) {
    options.scratch.limit = base::ceil_divide(whole, problem.batch) * members;
    const std::size_t limited = workspace_bytes(problem, options);
    CAPTURE(members, whole, options.scratch.limit, limited);
    CHECK(limited <= options.scratch.limit);
    CHECK(limited > 0);
    catalogue::Verifier verifier(device.context, device.device, options);
    const auto outcome = verifier.verify(problem);
    CAPTURE(outcome.error, outcome.bound, outcome.detail);
    CHECK(outcome.verdict == catalogue::Verdict::passed);
  }
}

TEST_CASE("a workspace of the caller's is a limit, and serves plans of any batch") {
  const auto& device = test::default_device();
  Case problem = catalogue::parse("4096*37-f32-in-forward-none-hierarchy");
  Options options;
  options.parameters = problem.parameters;
  options.scratch.workspace =
      std::make_shared<Workspace>(device.context, device.device, 10 * 4096 * 8);
  for (const std::uint64_t batch : {1, 10, 37}) {
    problem.batch = batch;
    CHECK(workspace_bytes(problem, options) == std::min<std::size_t>(batch, 10) * 4096 * 8);
    catalogue::Verifier verifier(device.context, device.device, options);
    CHECK(verifier.verify(problem).verdict == catalogue::Verdict::passed);
  }
}

TEST_CASE("a limit too small for one transform is reported with the required size") {
  const auto& device = test::default_device();
  const auto plan = [&](const Case& problem, std::size_t limit, std::size_t workspace) {
    Options options;
    options.parameters = problem.parameters;
    options.scratch.limit = limit;
    if (workspace > 0)
      options.scratch.workspace =
          std::make_shared<Workspace>(device.context, device.device, workspace);
    Plan(device.context, device.device, problem.transform(), options);
  };
  const Case problem = catalogue::parse("4096*5-f32-in-forward-none-hierarchy");
  CHECK_THROWS_AS(plan(problem, 32767, 0), InvalidArgument);
  CHECK_THROWS_WITH(plan(problem, 32767, 0),
                    ContainsSubstring("options.scratch.limit is 32767 bytes") &&
                        ContainsSubstring("one transform needs 32768 bytes"));
  CHECK_THROWS_WITH(plan(problem, 0, 32767),
                    ContainsSubstring("options.scratch.workspace is 32767 bytes"));
  CHECK_THROWS_WITH(plan(problem, 32767, 32768), ContainsSubstring("options.scratch.limit"));
  CHECK_NOTHROW(plan(problem, 32768, 32768));
  // Members that exchange places cannot be transformed one after the other.
  const Case moving = catalogue::parse("64x48*9-f32-in-forward-none-t0:432.9/1");
  CHECK_THROWS_WITH(plan(moving, 9 * 64 * 48 * 8 - 1, 0), ContainsSubstring("change places"));
  CHECK_NOTHROW(plan(moving, 9 * 64 * 48 * 8, 0));
  const Case many = catalogue::parse("64*100000-f32-in-forward-none-hierarchy");
  CHECK_THROWS_WITH(plan(many, 64 * 8, 0), ContainsSubstring("at most 4096 chunks"));
}

TEST_CASE("no scratch is larger than a buffer of the device may be") {
  Transform transform;
  transform.lengths = {std::size_t{1} << 20};
  transform.batch = 100000;  // 781 GiB
  transform.placement = Placement::in_place;
  const auto facts = test::large_gpu();
  const auto blueprint = engine::decide(transform, facts, {.profiles = false});
  CHECK(blueprint.workspace_bytes() <= facts.memory.largest_buffer);
  CHECK(blueprint.workspace_bytes() > facts.memory.largest_buffer / 2);
  const auto& program = blueprint.forward->program;
  CHECK(program.launches.size() <= 64);
  CHECK(program.bytes_moved >= 2 * transform.batch * (std::uint64_t{8} << 20));
  CHECK_THAT(blueprint.describe(), ContainsSubstring("chunks of 4"));

  transform.lengths = {std::size_t{1} << 33};
  transform.batch = 1;
  CHECK_THROWS_AS(engine::decide(transform, facts, {.profiles = false}), Unsupported);
  CHECK_THROWS_WITH(engine::decide(transform, facts, {.profiles = false}),
                    ContainsSubstring("one transform needs 68719476736 bytes") &&
                        ContainsSubstring("CL_DEVICE_MAX_MEM_ALLOC_SIZE"));
}
