// This file is the inside of a Workspace: its memory, and the last call that used it.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <imago/plan.hpp>

#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"

namespace imago {

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] Workspace::State {
  State(cl_context of, cl_device_id device, std::size_t size);
  explicit State(cl_mem shared);

  /// What uses the memory: it enqueues after the call's waits, and says what it did also where it
  /// throws half way.
  using Use = std::function<void(const runtime::Call&, runtime::Enqueued&)>;
  /// Enqueues a use after the last one, whatever its queue. The event is null where the call wants
  /// none.
  runtime::Handle<cl_event> enqueue(runtime::Call call, const Use& use);
  /// The use is a program, and this its scratch.
  runtime::Handle<cl_event> enqueue(const runtime::Executable& executable, runtime::Call call,
                                    runtime::Executable::Lease& lease);

  runtime::Handle<cl_context> context;
  std::size_t bytes = 0;
  runtime::Handle<cl_mem> memory;
  bool is_callers = false;           ///< the memory is a buffer that the caller has, too
  runtime::Handle<cl_mem> counters;  ///< of programs in one launch; zero between calls

 private:
  void chain(runtime::Call & call, std::vector<cl_event> & waits);

  std::mutex mutex_;  ///< held from looking up the last use until the next one is enqueued
  /// The queue that used it last; owned, so that its address names no other queue meanwhile.
  runtime::Handle<cl_command_queue> last_queue_;
  /// Of the last use; null where it made none, in a queue that runs in order.
  runtime::Handle<cl_event> last_use_;
};

}  // namespace imago
