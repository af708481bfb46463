// This file finds out which constructs a device's compiler gets wrong, by small kernels
// (kernels/constructs.cl) whose results are known. docs/implementations.md says who fails.
#pragma once

#include <string>
#include <vector>

#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// The kernels of kernels/constructs.cl.
const std::vector<std::string>& constructs();
/// Whether a device computes one of them right, tried now in a context of its own. Throws
/// DeviceError where it cannot be tried.
bool is_right(cl_device_id device, const std::string& construct);
/// Whether what was loaded before a barrier is kept behind it; from memory or disk, else tried now.
bool keeps_loads(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
