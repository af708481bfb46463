// This file defines the state of a Workspace: its memory, and the last call that used it.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <imago/plan.hpp>

#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"

namespace imago {
namespace api {

/// True if the commands before the event failed. They do not use memory any more, and must not make
/// later calls fail.
bool has_failed(cl_event event);

}  // namespace api

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Workspace::State {
  State(cl_context of, cl_device_id device, std::size_t size);
  explicit State(cl_mem shared);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Function that uses the memory: it enqueues commands after the call's waits. It reports the
  /// enqueued commands also if it throws before the last one.
  using Use = std::function<void(const runtime::Call&, runtime::Enqueued&)>;
  /// Enqueues a use after the last one, in any queue. The event is null if the call requests none.
  runtime::Handle<cl_event> enqueue(runtime::Call call, const Use& use);
  /// Enqueues a program that uses this memory as its workspace.
  runtime::Handle<cl_event> enqueue(const runtime::Executable& executable, runtime::Call call,
                                    runtime::Executable::Lease& lease);

  runtime::Handle<cl_context> context;
  std::size_t bytes = 0;
  runtime::Handle<cl_mem> memory;
  bool is_callers = false;           ///< true if the memory is the caller's buffer
  runtime::Handle<cl_mem> counters;  ///< atomic counters of programs in one launch; 0 between calls

 private:
  void wait_for_last_use(runtime::Call & call, std::vector<cl_event> & waits);

  std::mutex mutex_;  ///< locked from the look-up of the last use until the next one is enqueued
  /// The queue of the last use. The handle owns it, so that no other queue gets the same address.
  runtime::Handle<cl_command_queue> last_queue_;
  /// Event of the last use; null if that created none, in an in-order queue.
  runtime::Handle<cl_event> last_use_;
};

}  // namespace imago
