// This file checks that plans on a device are recreated from their recipes with bitwise equal
// results.
#include <string>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using Float = std::complex<float>;
using test::ContainsSubstring;

std::vector<Float> result_of(const Plan& plan, const std::vector<Float>& x) {
  const auto& device = test::default_device();
  const auto signal = device.upload(x), spectrum = device.upload(x);
  return device.download<Float>(spectrum, x.size(),
                                test::forward(plan, device.queue, signal, spectrum));
}

TEST_CASE("a plan of a recipe has the kernels and the bits of its plan", "[api][recipe]") {
  const auto& device = test::default_device();
  constexpr std::size_t kLength = 360, kBatch = 3;
  const Transform t = test::transform(kLength, kBatch);
  // imago would not choose these parameters.
  const Plan plan(device.context, device.device, t, test::two_kernels());
  const std::string recipe = plan.recipe();
  CHECK(recipe.find('\n') == std::string::npos);
  Options options;
  options.recipe = recipe;
  const Plan again(device.context, device.device, t, options);
  CHECK(again.recipe() == recipe);
  CHECK_THAT(again.describe(), ContainsSubstring("  options.recipe\n"));
  REQUIRE(again.sources().size() == plan.sources().size());
  for (std::size_t i = 0; i < plan.sources().size(); ++i)
    CHECK(again.sources()[i].source == plan.sources()[i].source);
  const auto x = test::noise<float>(kLength * kBatch);
  CHECK(result_of(again, x) == result_of(plan, x));
  CHECK(estimate(device.device, t, options).kernels == plan.sources().size() / 2);
  CHECK(Plan(device.context, device.device, t).recipe() != recipe);
}

TEST_CASE("a text that is no recipe makes no plan", "[api][recipe]") {
  const auto& device = test::default_device();
  for (const char* text : {"", "{}", "fast, please"})
    CHECK_THROWS_AS(Plan(device.context, device.device, test::transform(64), {.recipe = text}),
                    InvalidArgument);
}

TEST_CASE("objects with several plans reject a recipe", "[api][recipe]") {
  const auto& device = test::default_device();
  const Transform t = test::transform(64, 2);
  Options options;
  options.recipe = Plan(device.context, device.device, t).recipe();
  const Pool pool(device.context, device.device);
  const std::string why =
      " is given; leave it empty: a recipe is for one Plan, and this object has several";
  CHECK_THROWS_WITH(HostPlan(pool, t, {.plan = options}), "options.plan.recipe" + why);
  CHECK_THROWS_WITH(MultiDevicePlan(pool, t, options), "options.recipe" + why);
  CHECK_THROWS_WITH(
      Convolution(device.context, device.device, {.signal = {100}, .kernel = {9}}, options),
      "options.recipe" + why);
  SparseTransform sparse;
  sparse.length = 1 << 14;
  sparse.sparsity = 4;
  CHECK_THROWS_WITH(SparsePlan(device.context, device.device, sparse, options),
                    "options.recipe" + why);
}

}  // namespace
}  // namespace imago
