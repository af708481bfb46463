// This file implements KeptPlans, and holds those of this process.
#include "host/kept_plans.hpp"

#include <algorithm>

#include <imago/devices.hpp>

#include "runtime/opencl.hpp"

namespace imago::host {
namespace {

/// Of a device's memory, for the workspaces of the plans that are kept.
constexpr std::size_t kWorkspaceShare = 8;

struct OfProcess {
  std::mutex mutex;
  std::shared_ptr<KeptPlans> plans[2];  ///< f64 in the second; both the same where one device is
};

// Never destroyed: drivers may be gone before what has static storage.
OfProcess& of_process() {
  static auto* const kept = new OfProcess;
  return *kept;
}

std::shared_ptr<KeptPlans> plans_on(const cl::Device& device) {
  const auto memory = runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device(),
                                              CL_DEVICE_GLOBAL_MEM_SIZE);
  return std::make_shared<KeptPlans>(
      Pool({device}), KeptPlans::Limits{.workspace_bytes = memory / kWorkspaceShare});
}

}  // namespace

KeptPlans::Kept KeptPlans::entry_of(const Transform& transform) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Kept& entry) { return entry->transform == transform; });
  if (found != entries_.end())
    entries_.splice(entries_.begin(), entries_, found);
  else
    entries_.push_front(std::make_shared<Entry>(transform));
  trim();
  return entries_.front();
}

void KeptPlans::trim() {
  std::size_t plans = 0, bytes = 0;
  std::erase_if(entries_, [&](const Kept& entry) {
    bytes += entry->workspace_bytes;
    return ++plans > 1 && (plans > limits_.plans || bytes > limits_.workspace_bytes);
  });
}

void KeptPlans::make(const Kept& entry) {
  const std::lock_guard making(entry->making);
  if (entry->plan) return;
  try {
    entry->plan.emplace(pool_, entry->transform);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    std::erase(entries_, entry);
    throw;
  }
  entry->workspace_bytes = entry->plan->workspace_bytes();
  const std::lock_guard lock(mutex_);
  trim();
}

KeptPlans::Shared KeptPlans::get(const Transform& transform) {
  const Kept entry = entry_of(transform);
  make(entry);
  return {entry, &*entry->plan};
}

std::size_t KeptPlans::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::shared_ptr<KeptPlans> kept_plans(Precision precision) {
  OfProcess& kept = of_process();
  const std::lock_guard lock(kept.mutex);
  auto& mine = kept.plans[precision == Precision::f64];
  if (mine) return mine;
  const cl::Device device = find_device({}, precision);
  const auto& other = kept.plans[precision != Precision::f64];
  mine = other && other->pool().device()() == device() ? other : plans_on(device);
  return mine;
}

void drop_kept_plans() {
  OfProcess& kept = of_process();
  std::shared_ptr<KeptPlans> dropped[2];
  const std::lock_guard lock(kept.mutex);
  for (const std::size_t i : {0, 1}) dropped[i] = std::move(kept.plans[i]);
}

}  // namespace imago::host
