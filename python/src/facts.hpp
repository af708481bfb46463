// This file queries properties of OpenCL devices.
#pragma once

#include <string>

#include "opencl.hpp"

namespace imago::python {

inline std::string text_of(const cl::Device& device, cl_device_info name) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device(), name, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(device(), name, bytes, text.data(), nullptr), "clGetDeviceInfo");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

template <class T>
T number_of(const cl::Device& device, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(device(), name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

}  // namespace imago::python
