// This file is the inside of a Workspace: one buffer, and the last call that used it.
#pragma once

#include <mutex>

#include <imago/plan.hpp>

#include "runtime/executable.hpp"
#include "runtime/opencl.hpp"

namespace imago {

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] Workspace::State {
  State(cl_context of, cl_device_id device, std::size_t size);

  /// Enqueues `call` with this scratch, after the last call that used it, whatever its queue.
  runtime::Handle<cl_event> enqueue(const runtime::Executable& executable, runtime::Call call);

  runtime::Handle<cl_context> context;
  std::size_t bytes = 0;
  runtime::Handle<cl_mem> memory;

 private:
  std::mutex mutex_;  ///< held from looking up the last use until the next one is enqueued
  runtime::Handle<cl_event> last_use_;
  /// The queue of last_use_; owned, so that its address names no other queue meanwhile.
  runtime::Handle<cl_command_queue> last_queue_;
};

}  // namespace imago
