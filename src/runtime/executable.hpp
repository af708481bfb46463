// This file executes a Program on a device and knows nothing else about transforms.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/program.hpp"
#include "runtime/known_queue.hpp"
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
  Scratch scratch;
  std::span<const cl_event> waits;
  std::span<const HookValue> hooks;  ///< values of the direction's arguments
  bool wants_event = false;
  /// Takes an event of each launch, for whoever measures: the queue must have profiling enabled.
  std::vector<Handle<cl_event>>* trace = nullptr;
};

/// What a call has enqueued.
struct Enqueued {
  std::size_t commands = 0;
  Handle<cl_event> last;  ///< of the last command; null where it has none
};

/// A Program with its kernels and tables. Threads may share it.
class Executable {
 public:
  /// `kernels` is the code of kernel::kernels_of(program); large tables are kept on `disk`.
  Executable(const Target& target, const kernel::Program& program,
             std::vector<ProgramPointer> kernels, const DiskCache& disk = {});
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  class Lease;
  /// Kernel objects for one call; those that last ran in the queue, if they are idle.
  Lease lease(cl_command_queue queue) const;
  /// Enqueues every launch. Allocates no device memory and waits for nothing. `enqueued` is right
  /// also where this throws half way. Events are made where the caller wants one, where the queue
  /// runs out of order, and where there is something to wait for: that a failed event fails all
  /// that follows is what drivers promise for wait lists only.
  void enqueue(const Call& call, Lease& lease, Enqueued& enqueued) const;
  /// The same for callers that keep no lease. The event completes after the last launch.
  Handle<cl_event> enqueue(const Call& call) const;

 private:
  struct Phase;
  struct Command;
  struct KernelSet;

  void add(const Target& target, const kernel::Program& program, const kernel::Launch& planned,
           const DiskCache& disk);
  std::unique_ptr<KernelSet> make_set() const;
  static void enqueue_marker(const Call& call, Enqueued& enqueued);

  std::vector<Command> commands_;
  std::size_t objects_ = 0;  ///< in a set
  /// Sets that nobody uses. A set is taken and given back by exchanging a pointer, so that threads
  /// with queues of their own never wait for each other.
  mutable std::array<std::atomic<KernelSet*>, 16> idle_ = {};
};

/// A set of kernel objects, whose arguments one thread at a time sets; it returns when this goes.
class Executable::Lease {
 public:
  Lease(const Executable& owner, std::unique_ptr<KernelSet> set);
  ~Lease();
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) = delete;

  /// What is known about a queue: that of the set's last call is not asked about again.
  const KnownQueue& queue(cl_command_queue queue);

 private:
  friend class Executable;
  const Executable* owner_;
  std::unique_ptr<KernelSet> set_;
};

}  // namespace imago::runtime
