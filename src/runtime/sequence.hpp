// This file enqueues commands that run one after another, on in-order and out-of-order queues.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A kernel launch whose arguments are set.
struct KernelLaunch {
  cl_kernel kernel = nullptr;
  const char* name = "";
  std::size_t groups = 1, group_size = 1;
};

/// A launch with its own kernel object, so that other launches do not change its arguments.
struct OwnLaunch {
  std::shared_ptr<const Handle<cl_kernel>> kernel;
  const char* name = "";
  std::size_t groups = 1, group_size = 1;
};

/// An enqueued command, for measurements; the queue must have profiling enabled.
struct Traced {
  std::string name;
  Handle<cl_event> event;
};

/// Enqueues commands. Handles are borrowed. If a command cannot be enqueued, this waits for the
/// earlier ones, then throws.
class Sequence {
 public:
  Sequence(cl_command_queue queue, bool in_order, std::vector<Traced>* trace = nullptr);

  void launch(const KernelLaunch& launch);
  /// Uses all members of `call` except the queue and its wait list.
  void run(const Executable& executable, Call call);
  /// Writes `data`, which must stay valid until the next read.
  void write(cl_mem memory, std::size_t offset, std::size_t bytes, const void* data);
  /// Makes the next command also wait for `event` of another queue.
  void wait_for(Handle<cl_event> event);
  /// Submits all commands so far, and returns an event that completes after them.
  Handle<cl_event> mark();
  /// Reads after all commands so far, and waits.
  void read(cl_mem memory, std::size_t offset, std::size_t bytes, void* data);

 private:
  /// Calls enqueue(number of events, events, new event).
  template <class Enqueue>
  void next(const char* call, const char* kernel, Enqueue enqueue, bool wants_event = false);
  void chain(const char* name, Handle<cl_event> event);

  cl_command_queue queue_;
  bool in_order_;
  std::vector<cl_event> waits_;
  std::vector<Handle<cl_event>> held_;  ///< owned references to the events of other queues in
                                        ///< `waits_`
  std::vector<Traced>* trace_;
  Handle<cl_event> last_;
  std::size_t commands_ = 0;
};

}  // namespace imago::runtime
