// This file executes a Program on a device. It depends on no other module about transforms.
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

/// Arguments of one call. All handles are borrowed.
struct Call {
  cl_command_queue queue = nullptr;
  bool in_order = true;  ///< the queue runs its commands one after another
  Array input, output;
  Scratch scratch;
  std::span<const cl_event> waits;
  std::span<const HookValue> hooks;  ///< values of the direction's arguments
  bool wants_event = false;
  /// Sizes of the program's launches; empty: as planned.
  std::span<const kernel::LaunchSize> sizes;
  /// Receives an event of each command.
  std::vector<Handle<cl_event>>* trace = nullptr;
};

/// The commands that a call has enqueued.
struct Enqueued {
  std::size_t commands = 0;
  Handle<cl_event> last;  ///< event of the last command, or null
};

/// A Program with its kernels and tables. Threads may share it.
class Executable {
 public:
  /// `kernels` is the code of kernel::kernels_of(program); `disk` caches large tables.
  Executable(const Target& target, const kernel::Program& program,
             std::vector<ProgramPointer> kernels, const DiskCache& disk = {});
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  class Lease;
  /// Returns kernel objects for one call, preferably those that last ran in this queue, if idle.
  Lease lease(cl_command_queue queue) const;
  /// Enqueues every launch. Allocates no device memory and waits for nothing. `enqueued` is correct
  /// even if this throws half way. Makes events if the caller wants one, if the queue runs out of
  /// order, or if there are events to wait for. The last case exists because drivers let a failed
  /// event fail later commands only through wait lists.
  void enqueue(const Call& call, Lease& lease, Enqueued& enqueued) const;
  /// Enqueues every launch, for callers that keep no lease. Returns an event that completes after
  /// the last launch.
  Handle<cl_event> enqueue(const Call& call) const;

 private:
  struct Phase;
  struct Command;
  struct KernelSet;

  void upload_generic(cl_context context, const kernel::Program& program);
  void add(const Target& target, const kernel::Program& program, const kernel::Command& planned,
           const DiskCache& disk);
  std::unique_ptr<KernelSet> make_set() const;
  static void enqueue_marker(const Call& call, Enqueued& enqueued);

  std::vector<Command> commands_;
  Handle<cl_mem> numbers_;  ///< generic kernels: kernel::GenericData
  Buffer generic_table_;
  std::size_t objects_ = 0;  ///< number of kernel objects in a set
  /// Idle kernel sets. Taking and returning a set exchanges a pointer, so that threads with
  /// separate queues never wait for each other.
  mutable std::array<std::atomic<KernelSet*>, 16> idle_ = {};
};

/// A set of kernel objects, whose arguments one thread at a time sets. The destructor returns the
/// set.
class Executable::Lease {
 public:
  Lease(const Executable& owner, std::unique_ptr<KernelSet> set);
  ~Lease();
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) = delete;

  /// Returns the properties of a queue; those of the set's last queue need no query.
  const KnownQueue& queue(cl_command_queue queue);

 private:
  friend class Executable;
  const Executable* owner_;
  std::unique_ptr<KernelSet> set_;
};

}  // namespace imago::runtime
