// This file accesses OpenCL objects of another package, such as pyopencl, by their addresses
// (`int_ptr`), and passes events to it.
#pragma once

#include <cstdint>
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

/// Calls `work` with a queue and a call that waits for events, without the GIL. Returns the address
/// of the call's event.
template <class Work>
std::uintptr_t enqueued(const cl::CommandQueue& queue, const std::vector<std::uintptr_t>& waits,
                        std::vector<Argument> arguments, Work work) {
  cl::Event done;
  const Call call{
      .waits = waits_at(waits, queue), .event = &done, .arguments = std::move(arguments)};
  const Released released;
  work(queue, call);
  return given_away(done);
}

}  // namespace imago::python
