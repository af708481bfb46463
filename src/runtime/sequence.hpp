// This file enqueues commands that run one after the other, on queues of either order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A kernel's launch: its arguments are set.
struct KernelLaunch {
  cl_kernel kernel = nullptr;
  const char* name = "";
  std::size_t groups = 1, group_size = 1;
};

/// A command that was enqueued, for whoever measures: the queue must have profiling enabled.
struct Traced {
  std::string name;
  Handle<cl_event> event;
};

/// Handles are borrowed. When a command cannot be enqueued, this waits for what was, then throws.
class Sequence {
 public:
  Sequence(cl_command_queue queue, bool in_order, std::vector<Traced>* trace = nullptr);

  void launch(const KernelLaunch& launch);
  /// Everything of `call` but the queue and what it waits for.
  void run(const Executable& executable, Call call);
  /// `data` must stay until the next read.
  void write(cl_mem memory, std::size_t offset, std::size_t bytes, const void* data);
  /// The next command waits for `event` too: one of another queue.
  void wait_for(Handle<cl_event> event);
  /// Completes after everything so far, which is submitted to the device.
  Handle<cl_event> mark();
  /// Waits for everything so far.
  void read(cl_mem memory, std::size_t offset, std::size_t bytes, void* data);

 private:
  /// Calls enqueue(number of events, events, new event).
  template <class Enqueue>
  void next(const char* call, const char* kernel, Enqueue enqueue, bool wants_event = false);
  void chain(const char* name, Handle<cl_event> event);

  cl_command_queue queue_;
  bool in_order_;
  std::vector<cl_event> waits_;
  std::vector<Handle<cl_event>> held_;  ///< those of `waits_` that are others'
  std::vector<Traced>* trace_;
  Handle<cl_event> last_;
  std::size_t commands_ = 0;
};

}  // namespace imago::runtime
