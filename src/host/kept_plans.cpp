// This file implements KeptPlans, and holds the cached plans of this process.
#include "host/kept_plans.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <imago/devices.hpp>

#include "base/forked.hpp"
#include "runtime/opencl.hpp"

namespace imago::host {
namespace {

/// The fraction 1/kWorkspaceShare of a device's memory is the limit for the workspaces of cached
/// plans.
constexpr std::size_t kWorkspaceShare = 8;

struct OfProcess {
  std::mutex mutex;
  std::shared_ptr<KeptPlans> plans[2];  ///< the second is for f64; both are the same if one device
                                        ///< is the default for both
};

// Never destroyed: drivers may be unloaded before objects with static storage are destroyed.
OfProcess& of_process() {
  static auto* const kept = new OfProcess;
  return *kept;
}

std::shared_ptr<KeptPlans> plans_on(const cl::Device& device) {
  const auto memory = runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device(),
                                              CL_DEVICE_GLOBAL_MEM_SIZE);
  return std::make_shared<KeptPlans>(Pool({device}),
                                     base::CacheLimits{.bytes = memory / kWorkspaceShare});
}

}  // namespace

std::size_t TransformHash::operator()(const Transform& transform) const {
  std::size_t hash = transform.batch;
  for (const std::size_t length : transform.lengths) hash = hash * 31 + length;
  return hash;
}

KeptPlans::KeptPlans(const Pool& pool, const base::CacheLimits& limits)
    : pool_(pool), plans_(limits, [](const HostPlan& plan) { return plan.workspace_bytes(); }) {}

KeptPlans::Shared KeptPlans::get(const Transform& transform) {
  return plans_.get(transform, [&] {
    return [pool = pool_, transform] {
      return HostPlan(pool, transform, {.plan = {.first_call = FirstCall::automatic}});
    };
  });
}

std::shared_ptr<KeptPlans> kept_plans(Precision precision) {
  base::check_driver();
  OfProcess& kept = of_process();
  const std::lock_guard lock(kept.mutex);
  auto& mine = kept.plans[precision == Precision::f64];
  if (mine) return mine;
  const cl::Device device = find_device({}, precision);
  const auto& other = kept.plans[precision != Precision::f64];
  mine = other && other->pool().device()() == device() ? other : plans_on(device);
  return mine;
}

bool is_kept_pool(const Pool& pool) {
  OfProcess& kept = of_process();
  const std::lock_guard lock(kept.mutex);
  return std::any_of(std::begin(kept.plans), std::end(kept.plans), [&](const auto& plans) {
    return plans && plans->pool().context()() == pool.context()();
  });
}

void drop_kept_plans() {
  OfProcess& kept = of_process();
  std::shared_ptr<KeptPlans> dropped[2];
  const std::lock_guard lock(kept.mutex);
  for (const std::size_t i : {0, 1}) dropped[i] = std::move(kept.plans[i]);
}

}  // namespace imago::host
