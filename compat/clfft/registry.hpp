// This file holds the plans of the process. A handle is a number that is never reused, so destroyed
// and invalid handles differ from live ones.
#pragma once

#include <clFFT.h>

#include <CL/opencl.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "baked.hpp"
#include "description.hpp"

namespace imago::clfft {

/// A plan of a client. Lock its mutex before you access it.
struct ClientPlan {
  ClientPlan(cl::Context of, Description what) : context(std::move(of)), wanted(std::move(what)) {}

  std::mutex mutex;
  const cl::Context context;
  Description wanted;
  std::optional<Baked> baked;  ///< reset when a setting changes
};

class Registry {
 public:
  static Registry& instance();

  clfftPlanHandle add(cl::Context context, Description wanted);
  /// Throws INVALID_PLAN. The plan lives while the pointer is held, even if it is destroyed
  /// meanwhile.
  std::shared_ptr<ClientPlan> find(clfftPlanHandle handle);
  void remove(clfftPlanHandle handle);
  /// Counts set-ups and tear-downs; the last tear-down destroys all plans.
  void set_up(bool dump_programs);
  void tear_down();
  bool dumps_programs();

 private:
  std::mutex mutex_;
  std::unordered_map<clfftPlanHandle, std::shared_ptr<ClientPlan>> plans_;
  clfftPlanHandle next_ = 1;
  std::size_t set_up_ = 0;
  bool dump_programs_ = false;
};

/// Calls body(plan) with the plan of a handle, locked.
template <class Body>
void with_plan(clfftPlanHandle handle, Body body) {
  const auto plan = Registry::instance().find(handle);
  const std::lock_guard lock(plan->mutex);
  body(*plan);
}

}  // namespace imago::clfft
