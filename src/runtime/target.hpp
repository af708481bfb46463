// This file identifies the device that code is built for, and lists the devices.
#pragma once

#include <cstddef>
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
  /// Version of the generator of kernels and tables, so that cached results of another version are
  /// not used. The text must live as long as the program.
  std::string_view generator;
};

/// Throws InvalidArgument if a handle is null, or if neither the device nor one that it is a part
/// of (clCreateSubDevices) is in the context.
Target make_target(cl_context context, cl_device_id device, std::string_view generator);
/// Returns the index of the device in a list or, for a sub-device that is not listed, that of the
/// device that it is a part of: PoCL's contexts list whole devices only. The size of the list if
/// neither is there.
std::size_t place_among(const std::vector<cl_device_id>& devices, cl_device_id device);
base::Digest identity(cl_device_id device);

/// True for devices of PoCL, which has a cache of its own for what it compiled.
bool is_pocl(cl_device_id device);

/// Returns the devices of all platforms, in the loader's order.
std::vector<cl_device_id> all_devices();

}  // namespace imago::runtime
