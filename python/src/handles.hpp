// This file accesses OpenCL objects of another package, such as pyopencl, by their addresses
// (`int_ptr`), and passes events to it.
#pragma once

#include <cstdint>
#include <vector>

#include <CL/opencl.hpp>

namespace imago::python {

/// Returns a handle with its own reference. Object is cl::Context, cl::Buffer and so on.
template <class Object>
Object object_at(std::uintptr_t address) {
  return Object(reinterpret_cast<typename Object::cl_type>(address), true);
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

}  // namespace imago::python
