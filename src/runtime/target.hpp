// This file names the device that code is built for, and lists what there is.
#pragma once

#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// A device of a context. Holds no reference: a plan's Target lives as long as its context handle.
struct Target {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  base::Digest identity;  ///< hash of device, driver and platform: equal ones share binaries
  /// The version of whoever writes kernels and tables, so that nothing is used which another one
  /// left in a cache. The text lives as long as the program.
  std::string_view generator;
};

/// Throws InvalidArgument where a handle is null or the device is not one of the context's.
Target make_target(cl_context context, cl_device_id device, std::string_view generator);
base::Digest identity(cl_device_id device);

/// The devices of all platforms, in the loader's order.
std::vector<cl_device_id> all_devices();

}  // namespace imago::runtime
