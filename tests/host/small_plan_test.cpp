// This file checks which transforms of host arrays the processor's functions compute, and
// SmallPlan.
#include <imago/imago.h>
#include <imago/small_plan.hpp>

#include <complex>
#include <vector>

#include "api/support.hpp"
#include "catalogue/catalogue.hpp"
#include "host/support.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/small.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;
using Complexes = std::vector<std::complex<float>>;

bool has_functions() { return !SmallPlan::instruction_set().empty(); }

bool uses_kernels(const Pool& pool, const Transform& transform, const HostOptions& options = {}) {
  const HostPlan plan(pool, transform, options);
  return !plan.sources().empty();
}

TEST_CASE("cases of the first tier are right by the processor's functions", "[host][small]") {
  if (!has_functions()) return;
  const test::SmallTransforms small(true);
  const Pool pool(test::default_device().context, test::default_device().device);
  std::size_t computed = 0;
  for (const catalogue::Case& problem :
       catalogue::cases(catalogue::Tier::ci, 1, test::wide_cpu())) {
    Transform transform;
    try {
      transform = problem.transform();
      if (!SmallPlan::make_preferred(transform)) continue;
    } catch (const Error&) {
      continue;
    }
    if (++computed % 16 != 0) continue;
    const auto outcome = test::verify_on_host(problem.name(), {pool});
    INFO(problem.name() << ": " << outcome.detail);
    CHECK(outcome.verdict == catalogue::Verdict::passed);
  }
  CHECK(computed > 100);
}

TEST_CASE("choices of kernels and devices are respected", "[host][small]") {
  if (!has_functions()) return;
  const test::SmallTransforms small(true);
  const auto& device = test::default_device();
  const Pool pool(device.context, device.device);
  const Pool copies(device.context, device.device, {.copies = true});
  const Transform transform{.lengths = {64}};
  CHECK(!uses_kernels(pool, transform));
  CHECK(uses_kernels(copies, transform));  // as a GPU does
  CHECK(uses_kernels(pool, transform, {.small = false}));
  CHECK(uses_kernels(pool, transform, {.plan = {.deterministic = true}}));
  CHECK(uses_kernels(pool, transform, {.memory_limit = 1 << 20}));
  // Kernels compute primes and short rows in less time, but not other rows and images.
  CHECK(uses_kernels(pool, {.lengths = {1009}, .batch = 64}));
  CHECK(uses_kernels(pool, {.lengths = {8}, .batch = 32768}));
  CHECK(!uses_kernels(pool, {.lengths = {64}, .batch = 4096}));
  CHECK(!uses_kernels(pool, {.lengths = {300, 512}}));
  CHECK(uses_kernels(pool, {.lengths = {64}, .batch = 32768}));  // more than 2^20 elements
  CHECK(uses_kernels(pool, {.lengths = {1594323}}));             // 3^13, which has no halves
  CHECK(uses_kernels(pool, {.precision = Precision::f16, .lengths = {64}}));
  const test::Variable variable("IMAGO_FIRST_CALL", "compile");
  CHECK(uses_kernels(pool, transform));
}

TEST_CASE("a SmallPlan checks its arrays, and computes in both directions", "[host][small]") {
  if (!has_functions()) return;
  auto plan = SmallPlan::make({.lengths = {6, 10}, .batch = 3});
  REQUIRE(plan);
  Complexes signal(180, {1, 2}), spectrum(180), again(180);
  plan->forward(signal, spectrum);
  plan->inverse(spectrum, again);
  CHECK(std::abs(spectrum[60] - std::complex<float>{60, 120}) < 1e-4f);
  CHECK(std::abs(again[179] - signal[179]) < 1e-6f);
  CHECK(plan->signal_bytes() == 1440);
  CHECK(plan->seconds() > 0);
  CHECK_THROWS_WITH(plan->forward(Complexes(179), spectrum), ContainsSubstring("1440"));
  CHECK_THROWS_WITH(plan->forward(std::vector<double>(180), spectrum), ContainsSubstring("signal"));
  CHECK_THROWS_WITH(plan->forward(signal, signal), ContainsSubstring("overlap"));
  CHECK_THROWS_WITH(plan->forward(signal), ContainsSubstring("out of place"));
  CHECK_THROWS_WITH(plan->forward(ConstHostArray(nullptr, 1440), spectrum),
                    ContainsSubstring("null"));
  const auto forward = SmallPlan::make({.lengths = {6}, .directions = Directions::forward});
  REQUIRE(forward);
  CHECK_THROWS_AS(forward->inverse(spectrum, again), InvalidArgument);
  const SmallPlan moved = std::move(*plan);
  CHECK_THROWS_AS(plan->forward(signal, spectrum), InvalidArgument);
  moved.forward(signal, spectrum);
}

TEST_CASE("there are no functions for f16, hooks and planar storage", "[host][small]") {
  CHECK(!SmallPlan::make({.precision = Precision::f16, .lengths = {8}}));
  CHECK(!SmallPlan::make({.lengths = {8}, .on_forward = {.store = {hook::scale(2)}}}));
  CHECK(!SmallPlan::make({.lengths = {8}, .signal = {.storage = Storage::planar}}));
  CHECK_THROWS_AS(SmallPlan::make({.lengths = {0}}), InvalidArgument);
}

TEST_CASE("small calls of C report errors as others do", "[host][small][c]") {
  if (!has_functions()) return;
  const test::SmallTransforms small(true);
  constexpr std::size_t kLength = 12;
  imago_transform t = imago_transform_of(1, &kLength);
  imago_plan* plan = nullptr;
  REQUIRE(imago_plan_create(&t, nullptr, &plan) == IMAGO_SUCCESS);
  Complexes x(12, {1, 0}), y(12);
  CHECK(imago_execute_forward(plan, x.data(), y.data()) == IMAGO_SUCCESS);
  CHECK(y[0] == std::complex<float>{12, 0});
  CHECK(imago_execute_forward(plan, nullptr, y.data()) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_execute_forward(plan, x.data(), x.data()) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_execute_forward(plan, x.data(), reinterpret_cast<char*>(y.data()) + 1) ==
        IMAGO_INVALID_ARGUMENT);
  imago_plan_destroy(plan);
}

}  // namespace
}  // namespace imago
