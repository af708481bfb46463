// This file is one device at work for Python: its context, its queues and the plans used last.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include <CL/opencl.hpp>

#include "lanes.hpp"
#include "layout.hpp"
#include "plan_cache.hpp"

namespace imago::python {

/// Members may be called from many threads at once, without the GIL.
class Session {
 public:
  explicit Session(const cl::Device& device);

  /// Computes and waits. The memory that `problem` speaks of begins at `from` and `to`.
  void run(const Problem& problem, void* from, void* to);

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  bool has_doubles() const { return doubles_; }
  bool in_host_memory() const { return host_memory_; }
  PlanCache& plans() { return plans_; }
  std::string describe(const Problem& problem);
  std::size_t computed() const { return computed_; }

 private:
  PlanCache::Shared plan_of(const Problem& problem);
  void run_in_place_of_caller(const Problem& problem, const Plan& plan, void* from, void* to);
  void run_by_copies(const Problem& problem, const Plan& plan, const void* from, void* to);

  cl::Device device_;
  cl::Context context_;
  bool doubles_ = false, host_memory_ = false;
  Lanes lanes_;
  PlanCache plans_;
  std::atomic<std::size_t> computed_ = 0;
};

}  // namespace imago::python
