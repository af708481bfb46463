// This file executes a Program on a device and knows nothing else about transforms.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "plan/program.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program.hpp"
#include "runtime/signature.hpp"
#include "runtime/tables.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

/// What a call brings along. All handles are borrowed.
struct Call {
  cl_command_queue queue = nullptr;
  bool in_order = true;  ///< the queue runs its commands one after the other
  Array input, output;
  cl_mem scratch = nullptr;
  std::span<const cl_event> waits;
};

/// A Program with its kernels and tables. Threads may share it.
class Executable {
 public:
  /// `kernels[i]` is the code of program.steps[i]; large tables are kept on `disk`.
  Executable(const Target& target, const plan::Program& program,
             std::vector<ProgramPointer> kernels, const DiskCache& disk = {});
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  /// Enqueues every launch; the event completes after the last. Allocates no device memory and
  /// waits for nothing, except that a call that fails halfway waits for what it had enqueued.
  Handle<cl_event> enqueue(const Call& call) const;

 private:
  /// The kernel objects of all launches, with the arguments that never change in place: those that
  /// differ in their places only share one. One thread at a time.
  using KernelSet = std::vector<Handle<cl_kernel>>;
  struct Launch;
  class Lease;

  KernelSet make_set() const;
  Handle<cl_event> enqueue_launches(const Call& call, const KernelSet& set) const;

  std::vector<Launch> launches_;
  std::size_t objects_ = 0;  ///< in a set
  mutable std::mutex mutex_;
  mutable std::vector<KernelSet> idle_;
};

}  // namespace imago::runtime
