// This file tests transforms of host arrays under faults: several devices, slices and passes
// through pinned memory. If OpenCL fails a call on one device, the others must end, too.
#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "faults.hpp"
#include "scenarios.hpp"
#include "support/naive.hpp"

namespace imago::faults {
namespace {

using Float = std::complex<float>;

/// The default device, several times, each in its own context.
struct HostRun {
  const test::Device& device;
  std::size_t devices;
  bool copies;
  Transform transform;
  HostOptions options;
  bool pinned = false;

  Outcome operator()() const {
    const std::size_t n = transform.lengths[0] * transform.batch;
    std::size_t points = n;
    for (std::size_t d = 1; d < transform.lengths.size(); ++d) points *= transform.lengths[d];
    const auto x = test::random_data<float>(points, 5);
    Outcome outcome;
    std::optional<Pool> pool;
    std::unique_ptr<const HostPlan> plan;
    std::vector<Float> y(points);
    try {
      const Live scope;
      pool.emplace(std::vector<cl::Device>(devices, device.device), PoolOptions{copies});
      plan = std::make_unique<const HostPlan>(*pool, transform, options);
      Pinned pins[2];
      if (pinned) {
        pins[0] = pool->pin({const_cast<Float*>(x.data()), points * sizeof(Float)});
        pins[1] = pool->pin({y.data(), points * sizeof(Float)});
      }
      plan->forward(x, y);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    // After a failure the plan must still work.
    if (plan && outcome.error) plan->forward(x, y);
    if (plan) {
      std::vector<Float> back(points);
      plan->inverse(y, back);
      const double error =
          test::relative_error<float, float>(std::span<const Float>(back), std::span(x));
      if (!(error < 1e-6)) outcome.wrong = "there and back differs by " + std::to_string(error);
    }
    const Live scope;
    plan.reset();
    pool.reset();
    return outcome;
  }
};

}  // namespace

std::vector<Scenario> host_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache) {
  HostOptions options;
  options.plan.cache_directory = cache;
  const Transform lines{.lengths = {60}, .batch = 37};
  const Transform plane{.lengths = {48, 40}};
  HostOptions little = options;
  little.memory_limit = 6000;
  return {{"host_there", HostRun{device, 1, false, lines, options}},
          {"host_copies", HostRun{device, 1, true, lines, options}},
          {"host_slices", HostRun{device, 1, true, lines, little}},
          {"host_pinned", HostRun{device, 1, true, lines, little, true}},
          {"host_passes", HostRun{device, 2, true, plane, little}}};
}

}  // namespace imago::faults
