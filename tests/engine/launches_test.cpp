// This file tests in how many launches a plan for an H200 runs, by OpenCL and by CUDA.
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

TEST_CASE("CUDA's driver launches the kernels of long transforms one after the other") {
  auto facts = test::large_gpu();
  facts.name = "NVIDIA H200", facts.vendor = "NVIDIA Corporation";
  facts.platform = "NVIDIA CUDA", facts.architecture = "sm_90";
  facts.local_bytes = 231424, facts.waiting = "CL3.0";
  const bool with_profiles = GENERATE(true, false);
  const auto launches = [&](std::vector<std::size_t> lengths, bool by_cuda, Parameters wish = {}) {
    facts.by_cuda = by_cuda;
    Options options;
    options.profiles = with_profiles;
    options.parameters = wish;
    return engine::decide(Transform{.lengths = std::move(lengths)}, facts, options)
        .forward->launches();
  };
  CHECK(launches({256, 256}, false) == Launches::one);
  CHECK(launches({256, 256}, true) == Launches::one);
  if (with_profiles) CHECK(launches({512, 512}, false) == Launches::one);
  CHECK(launches({512, 512}, true) == Launches::several);
  CHECK(launches({512, 512}, true, {.launches = Launches::one}) == Launches::one);
}
