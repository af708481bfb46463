// This file is one device at work for Python: its context, its queues and the plans used last.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include "lanes.hpp"
#include "layout.hpp"
#include "plan_cache.hpp"

namespace imago::python {

/// Bytes of host memory.
struct Memory {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// A problem on arrays of a device, wherever they lie, and its key, which takes longer to write
/// than to look up.
struct DeviceCall {
  explicit DeviceCall(Problem of) : problem(std::move(of)), key(problem.key()) {}

  const Problem problem;
  const std::string key;
};

/// Members may be called from many threads at once, without the GIL.
class Session {
 public:
  /// In a context of its own.
  explicit Session(const cl::Device& device);
  Session(const cl::Device& device, const cl::Context& context);

  /// Computes and waits. The memory that `problem` speaks of begins at `from` and `to`.
  void run(const Problem& problem, void* from, void* to);
  /// Computes in the caller's queue: the arrays are of the session's context.
  void enqueue(const DeviceCall& device_call, const cl::CommandQueue& queue, const Array& from,
               const Array& to, const Call& call);

  using Work = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from,
                                  const cl::Buffer& to)>;
  /// Does work on buffers that hold what host memory holds, and waits; `to` is written. Where both
  /// are the same memory, there is one buffer.
  void on_buffers(const Memory& from, const Memory& to, const Work& work);
  using Reading = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from)>;
  /// Does work that reads a buffer, which holds what host memory holds, and has waited for it.
  void on_signal(const Memory& from, const Reading& work);
  /// A buffer with a copy of host memory, or of that size.
  cl::Buffer buffer_of(const Memory& memory) const;

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  bool has_doubles() const { return doubles_; }
  /// Whether the device works in the caller's memory: CPUs do. Tests set it, before the first call.
  bool in_host_memory() const { return host_memory_; }
  void set_in_host_memory(bool works) { host_memory_ = works; }
  PlanCache::Counts counts() const { return plans_.counts(); }
  /// Drops what is kept for later calls: plans, queues and device memory.
  void clear() {
    plans_.clear();
    lanes_.clear();
  }
  std::string describe(const Problem& problem) { return plan_of(problem)->describe(); }
  std::size_t computed() const { return computed_; }

 private:
  PlanCache::Shared plan_of(const Problem& problem) { return plan_of(problem, problem.key()); }
  PlanCache::Shared plan_of(const Problem& problem, const std::string& key);
  void in_memory_of_caller(const Memory& from, const Memory& to, const Work& work);
  using SliceWork = std::function<void(const cl::CommandQueue& queue, const cl::Buffer& from,
                                       const cl::Buffer& to, std::size_t slice)>;
  void by_copies(const Memory& from, const Memory& to, const std::vector<Slice>& slices,
                 const SliceWork& work);
  void run_in_slices(const Problem& problem, const Memory& from, const Memory& to);

  cl::Device device_;
  cl::Context context_;
  bool doubles_ = false, host_memory_ = false;
  Lanes lanes_;
  PlanCache plans_;
  std::atomic<std::size_t> computed_ = 0;
};

}  // namespace imago::python
