// This file represents one device in use by Python: its context and a cache of its plans.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/host_plan.hpp>
#include <imago/plan.hpp>
#include <imago/pool.hpp>

#include "base/lru_cache.hpp"
#include "gil.hpp"
#include "interrupts.hpp"
#include "layout.hpp"
#include "process.hpp"

namespace imago::python {

using Memory = imago::HostBytes;

/// The plan cache, keyed by problem, for arrays on the device and in host memory.
using AnyPlan = std::variant<Plan, HostPlan>;
using PlanCache = base::LruCache<std::string, AnyPlan>;

/// A problem on arrays of a device, without their addresses. The key is stored, because writing it
/// takes longer than a lookup.
struct DeviceCall {
  explicit DeviceCall(Problem of) : problem(std::move(of)), key(problem.key()) {}

  const Problem problem;
  const std::string key;
};

/// Lets the calls of this thread wait for the kernels of their shape, instead of beginning on
/// generic ones; or no longer.
void compile_first(bool wanted);
/// Returns options of plans that begin on generic kernels, unless the thread called
/// compile_first().
Options first_options();

/// A device in use. Its members are thread-safe; call them without the GIL.
class Session {
 public:
  /// Creates a context of its own.
  explicit Session(const cl::Device& device);
  Session(const cl::Device& device, const cl::Context& context);

  /// Computes and waits. The arrays of `problem` begin at `from` and `to`.
  void run(const Problem& problem, void* from, void* to);
  /// Enqueues the transform in the caller's queue. The arrays must belong to the session's context.
  void enqueue(const DeviceCall& device_call, const cl::CommandQueue& queue, const Array& from,
               const Array& to, const Call& call);

  /// Enqueues the transform by a plan of this call alone, which lives as long as the session: a
  /// graph that captures the call uses the plan's memory later, when the cache may have dropped a
  /// plan of its own, or other calls use it.
  void enqueue_apart(const DeviceCall& device_call, const cl::CommandQueue& queue,
                     const Array& from, const Array& to);

  /// Runs `work` on buffers with the contents of host memory and waits. `to` is written. If both
  /// are the same memory, there is one buffer.
  void on_buffers(const Memory& from, const Memory& to, const Pool::Work& work);
  using Reading = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from)>;
  /// Runs `work`, which reads a buffer with the contents of host memory and waits for its result.
  void on_signal(const Memory& from, const Reading& work);
  /// Returns a buffer with a copy of host memory; without data, an empty one of that size.
  cl::Buffer buffer_of(const Memory& memory) const;
  /// Returns a new queue.
  cl::CommandQueue queue() const;

  const cl::Device& device() const { return pool_->device(); }
  const cl::Context& context() const { return pool_->context(); }
  bool has_doubles() const { return doubles_; }
  /// Returns true if the device works in the caller's memory, as CPUs do. Tests set it, before the
  /// first call.
  bool in_host_memory() const { return pool_->in_callers_memory(); }
  void set_in_host_memory(bool works) { *pool_ = Pool(context(), device(), {.copies = !works}); }
  PlanCache::Counts counts() const { return plans_->counts(); }
  /// Releases the caches: plans, queues and device memory.
  void clear() {
    plans_->clear();
    pool_->clear();
  }
  void limit_plans(std::size_t plans) { plans_->limit(plans); }
  std::string describe(const Problem& problem) { return host_plan_of(problem)->describe(); }
  std::size_t computed() const { return computed_; }
  std::size_t generic() const { return generic_; }  ///< calls that generic kernels computed

 private:
  explicit Session(Pool pool);
  void count(bool ready) { generic_ += ready ? 0 : 1; }
  std::shared_ptr<const HostPlan> host_plan_of(const Problem& problem);
  std::shared_ptr<const Plan> plan_of(const DeviceCall& device_call);

  Owned<Pool> pool_;
  bool doubles_ = false;
  Owned<PlanCache> plans_;
  std::atomic<std::size_t> computed_ = 0, generic_ = 0;
  std::mutex apart_mutex_;
  std::vector<Owned<Plan>> apart_;
};

/// A plan with its session.
template <class Made>
struct Own {
  Session& session;  ///< nanobind keeps it alive
  Owned<Made> plan;
};

/// Creates the object at `self`; Ctrl-C may end it.
template <class Made, class... Arguments>
void make_own(Own<Made>* self, Session& session, const Arguments&... arguments) {
  const Released released;
  new (self) Own<Made>{session, interruptibly([context = session.context(),
                                               device = session.device(), arguments...] {
                         return owned<Made>(context, device, arguments...);
                       })};
}

}  // namespace imago::python
