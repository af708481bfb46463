// This file implements the state of a Pool.
#include "host/pool_state.hpp"

#include <algorithm>
#include <string>

#include <imago/error.hpp>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "runtime/target.hpp"

namespace imago::host {

void Members::add(cl_context context, cl_device_id device, const PoolOptions& options) {
  runtime::make_target(context, device, {});  // throws if they do not belong together
  const auto type =
      runtime::info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_TYPE);
  auto member = std::make_unique<Member>();
  member->device = cl::Device(device, true);
  member->context = cl::Context(runtime::Handle<cl_context>::shared(context).take(), false);
  const auto& only = options.only;
  const bool meant =
      only.empty() || std::find(only.begin(), only.end(), members.size()) != only.end();
  member->in_callers_memory = (type & CL_DEVICE_TYPE_CPU) && !(options.copies && meant);
  members.push_back(std::move(member));
}

Member& Members::member(std::size_t i) const {
  if (i >= members.size())
    base::invalid("the device's index", i, "it must be below " + std::to_string(members.size()));
  return *members[i];
}

std::vector<std::size_t> Members::in_use() const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i]->in_use) found.push_back(i);
  }
  return found;
}

void Members::leave_out(std::size_t i, const std::exception_ptr& loss) {
  const std::lock_guard lock(leaving_);
  if (!members[i]->in_use || in_use().size() == 1) return;
  try {
    std::rethrow_exception(loss);
  } catch (const DeviceError& error) {
    const bool full = error.code() == CL_MEM_OBJECT_ALLOCATION_FAILURE;
    base::log(LogLevel::warning, "device " + std::to_string(i) + " of a pool of " +
                                     std::to_string(members.size()) + " is not used for " +
                                     (full ? "this call: " : "this call and later ones: ") +
                                     error.what());
    if (full) return;
  }
  members[i]->in_use = false;
  members[i]->queue_sets.clear();
}

}  // namespace imago::host
