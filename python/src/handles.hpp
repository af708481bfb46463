// This file accesses OpenCL objects of another package, such as pyopencl, by their addresses
// (`int_ptr`), and passes events to it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>

#include "gil.hpp"

namespace imago::python {

/// Returns a handle with its own reference. Object is cl::Context, cl::Buffer and so on.
template <class Object>
Object object_at(std::uintptr_t address) {
  return Object(reinterpret_cast<typename Object::cl_type>(address), true);
}

/// A buffer's address, and the number of elements before an array.
using Place = std::pair<std::uintptr_t, std::size_t>;

/// Returns an array whose memory the caller owns.
inline Array array_at(const Place& place) {
  return {object_at<cl::Buffer>(place.first), place.second};
}

/// Returns the events to wait for. Events of the same in-order queue are left out, because drivers
/// take longer for a command that waits. An event that has failed stays, so that the command fails,
/// too.
std::vector<cl::Event> waits_at(const std::vector<std::uintptr_t>& addresses,
                                const cl::CommandQueue& queue);

/// Returns the address of an event. The caller takes over its reference.
inline std::uintptr_t given_away(cl::Event& event) {
  const cl_event handle = event();
  event() = nullptr;
  return reinterpret_cast<std::uintptr_t>(handle);
}

/// The addresses of the events for which a call waits. None: the call has no event of its own
/// either, because CUDA's streams order calls.
using Waits = std::optional<std::vector<std::uintptr_t>>;

/// Calls `work` with a queue and a call that waits for events, without the GIL. Returns the address
/// of the call's event; 0 if it has none.
template <class Work>
std::uintptr_t enqueued(const cl::CommandQueue& queue, const Waits& waits,
                        std::vector<Argument> arguments, Work work) {
  cl::Event done;
  Call call{.arguments = std::move(arguments)};
  if (waits) call.waits = waits_at(*waits, queue), call.event = &done;
  const Released released;
  work(queue, call);
  return given_away(done);
}

}  // namespace imago::python
