// This file tests if work-groups of one kernel can wait for each other (inter-work-group
// synchronization, kernels of several phases, kernel::Program::one_launch). It runs a kernel that
// tries it and gives up after a time limit. NVIDIA's driver supports it but reports none of the
// features for it.
#pragma once

#include <string>

#include "base/hash.hpp"
#include "kernel/handmade.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Returns the key of the property.
base::Digest waiting_key(cl_device_id device);

/// Returns the kernel for a version of OpenCL C and groups of `items` work-items.
kernel::Handmade waiting_kernel(const std::string& standard, std::size_t items, bool cpu);

/// Returns the OpenCL C version for such kernels, "CL3.0" or "CL2.0"; empty if they do not work.
/// Looks in memory and on disk, else tries it now in a separate context.
std::string waiting(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
