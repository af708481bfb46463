// This file implements the arguments of hooks.
#include "arguments.hpp"

#include <nanobind/stl/string.h>

#include "buffer.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace imago::python {

std::vector<Argument> host_arguments(const Session& session, const nb::dict& values) {
  std::vector<Argument> arguments;
  for (const auto [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    if (PyFloat_Check(value.ptr())) {
      arguments.emplace_back(name, nb::cast<double>(value));
      continue;
    }
    const HostBytes bytes(value.ptr(), name.c_str(), false);
    arguments.emplace_back(name, session.buffer_of({bytes.data(), bytes.bytes()}));
  }
  return arguments;
}

std::vector<Argument> device_arguments(const nb::dict& values) {
  std::vector<Argument> arguments;
  for (const auto [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    if (PyFloat_Check(value.ptr()))
      arguments.emplace_back(name, nb::cast<double>(value));
    else
      arguments.emplace_back(name, object_at<cl::Buffer>(nb::cast<std::uintptr_t>(value[0])),
                             nb::cast<std::size_t>(value[1]));
  }
  return arguments;
}

}  // namespace imago::python
