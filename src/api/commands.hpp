// This file enqueues the commands of one call one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <CL/opencl.hpp>
#include <imago/plan.hpp>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "runtime/sequence.hpp"

namespace imago::api {

/// One plan of a call, which runs out of place.
struct Run {
  const Execution& execution;
  bool inverse;
  Array from, to;
  /// Arguments that the calling plan supplies. They are borrowed, because copies of opencl.hpp's
  /// wrappers ignore it if OpenCL does not retain the object, and then release it.
  std::span<const Argument> own = {};
  bool callers = true;        ///< it also takes the arguments of the call
  std::uint64_t members = 0;  ///< as in Execution::Use
};
/// Commands that `enqueue` enqueues, as a call of a plan does, with the waits and the event of a
/// Call.
struct Calls {
  std::function<void(const Call& call)> enqueue;
};
/// A runtime::KernelLaunch is a kernel that no plan has.
using Command = std::variant<Run, Calls, runtime::Clear, runtime::Copy, runtime::KernelLaunch>;

/// Enqueues the commands, on in-order and out-of-order queues. Checks all plans before the first
/// command runs. Returns the event of the last command if the queue is out of order or the caller
/// wants an event. Throws as Plan::forward().
cl::Event enqueue(const cl::CommandQueue& queue, const Call& call,
                  std::span<const Command> commands);

}  // namespace imago::api
