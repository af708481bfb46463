// This file takes OpenCL objects that another package owns, such as pyopencl, by their addresses
// (`int_ptr`), and hands events to it.
#pragma once

#include <cstdint>
#include <vector>

#include <CL/opencl.hpp>

namespace imago::python {

/// A handle with a reference of its own. Object is cl::Context, cl::Buffer and so on.
template <class Object>
Object object_at(std::uintptr_t address) {
  return Object(reinterpret_cast<typename Object::cl_type>(address), true);
}

/// The events, but for those that a queue in order comes after in any case: drivers take longer for
/// a command that waits. A command that has failed stays: what waits for it fails.
std::vector<cl::Event> waits_at(const std::vector<std::uintptr_t>& addresses,
                                const cl::CommandQueue& queue);

/// The address of an event, whose reference is the taker's from now on.
inline std::uintptr_t given_away(cl::Event& event) {
  const cl_event handle = event();
  event() = nullptr;
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace imago::python
