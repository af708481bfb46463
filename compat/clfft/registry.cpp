// This file finds plans by their handles.
#include "registry.hpp"

#include <utility>

#include "status.hpp"

namespace imago::clfft {

Registry& Registry::instance() {
  // Never destroyed, because OpenCL may already be unloaded at the end of the process.
  static Registry& registry = *new Registry;
  return registry;
}

clfftPlanHandle Registry::add(cl::Context context, Description wanted) {
  auto plan = std::make_shared<ClientPlan>(std::move(context), std::move(wanted));
  const std::lock_guard lock(mutex_);
  plans_.emplace(next_, std::move(plan));
  return next_++;
}

std::shared_ptr<ClientPlan> Registry::find(clfftPlanHandle handle) {
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(handle);
  require(found != plans_.end(), CLFFT_INVALID_PLAN,
          "no plan has this handle; create a plan first");
  return found->second;
}

void Registry::remove(clfftPlanHandle handle) {
  std::shared_ptr<ClientPlan> last;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(handle);
  require(found != plans_.end(), CLFFT_INVALID_PLAN,
          "no plan has this handle; create a plan first");
  last = std::move(found->second);
  plans_.erase(found);
}

void Registry::set_up(bool dump_programs) {
  const std::lock_guard lock(mutex_);
  ++set_up_;
  dump_programs_ = dump_programs;
}

void Registry::tear_down() {
  std::unordered_map<clfftPlanHandle, std::shared_ptr<ClientPlan>> last;
  const std::lock_guard lock(mutex_);
  if (set_up_ == 0 || --set_up_ > 0) return;
  last.swap(plans_);
  dump_programs_ = false;
}

bool Registry::dumps_programs() {
  const std::lock_guard lock(mutex_);
  return dump_programs_;
}

}  // namespace imago::clfft
