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

inline std::vector<cl::Event> events_at(const std::vector<std::uintptr_t>& addresses) {
  std::vector<cl::Event> events;
  for (const std::uintptr_t address : addresses) events.push_back(object_at<cl::Event>(address));
  return events;
}

/// The address of an event, whose reference is the taker's from now on.
inline std::uintptr_t given_away(cl::Event& event) {
  const cl_event handle = event();
  event() = nullptr;
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace imago::python
