// This file checks that every class of plans tells of all its kernels.
#include <string>
#include <vector>

#include "api/support.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace imago {
namespace {

/// Checks the lists of a plan's kernels, whose texts contain each of `words` at least once.
template <class Made>
void check_lists(const char* name, const Made& plan, const std::vector<std::string>& words = {}) {
  INFO(name);
  const auto sources = plan.sources();
  const auto builds = plan.builds();
  REQUIRE(!sources.empty());
  REQUIRE(sources.size() == builds.size());
  std::string all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CHECK(sources[i].name == builds[i].name);
    CHECK(sources[i].source.find("__kernel") != std::string::npos);
    all += sources[i].source;
  }
  for (const std::string& word : words) CHECK(all.find(word) != std::string::npos);
  CHECK(!plan.describe().empty());
}

TEST_CASE("every class of plans lists its kernels and the bytes of its tables", "[api]") {
  const test::Device device;
  const cl::Context& context = device.context;
  const std::vector<std::complex<double>> window(16, 1.0);
  check_lists("Plan", Plan(context, device.device, {.lengths = {12}}));
  check_lists("Filter", Filter(context, device.device, {.lengths = {12}}));

  // The kernels of prepare() and apply() differ, and so do those of several channels.
  const Convolution one(context, device.device, {.signal = {100}, .kernel = {7}}),
      several(context, device.device, {.signal = {100}, .kernel = {7}, .channels = 2});
  check_lists("Convolution", one);
  check_lists("Convolution of channels", several);
  CHECK(several.sources().size() > one.sources().size());

  const ShortTimePlan short_time(context, device.device,
                                 {.lengths = {200}, .window = window, .hop = 8});
  check_lists("ShortTimePlan", short_time);
  check_lists("WelchPlan",
              WelchPlan(context, device.device, {.lengths = {200}, .window = window, .hop = 8}));
  check_lists("Stream", Stream(device.queue, FirFilter{.lengths = {200}, .taps = {1.0, 2.0}}));
  check_lists("ZoomPlan",
              ZoomPlan(context, device.device, {.lengths = {50}, .points = 9, .to = 0.3}));
  check_lists("NufftPlan", NufftPlan(context, device.device, {.modes = {12}, .tolerance = 1e-3}),
              {"nufft_spread", "nufft_interpolate"});
  const Pool pool(context, device.device);
  check_lists("HostPlan", HostPlan(pool, {.lengths = {12}}));

  // A prime length has tables of roots.
  const Transform prime{.lengths = {10007}};
  const Plan plan(context, device.device, prime);
  REQUIRE(plan.table_bytes() > 0);
  CHECK(HostPlan(pool, prime).table_bytes() >= plan.table_bytes());
  CHECK(WelchPlan(context, device.device,
                  {.lengths = {20014},
                   .window = std::vector<std::complex<double>>(10007, 1.0),
                   .hop = 10007})
            .table_bytes() > 0);
}

}  // namespace
}  // namespace imago
