// This file runs small kernels with known results (kernels/constructs.cl) to find the constructs
// that a device's compiler gets wrong. docs/implementations.md lists the devices that fail.
#pragma once

#include <string>
#include <vector>

#include "base/hash.hpp"
#include "kernel/handmade.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Returns the key of the property that keeps_loads() returns.
base::Digest kept_load_key(cl_device_id device);

/// Returns a kernel of kernels/constructs.cl.
kernel::Handmade construct_kernel(const std::string& construct);
/// Returns the names of the kernels in kernels/constructs.cl.
const std::vector<std::string>& constructs();
/// True if a device computes the kernel of this name correctly. Tries it now in a separate context.
/// Throws DeviceError if that is impossible.
bool is_right(cl_device_id device, const std::string& construct);
/// True if the compiler keeps values loaded before a barrier until after it. Looks in memory and on
/// disk, else tries it now.
bool keeps_loads(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
