// This file finds out whether work-groups of one kernel can wait for each other (kernels of several
// phases, kernel::Program::one_launch). Drivers are asked by a kernel that tries it, which gives up
// where it waits in vain: NVIDIA's compiles and runs it and reports none of the features for it.
#pragma once

#include <string>

#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// The OpenCL C to compile such kernels as, "CL3.0" or "CL2.0"; empty where they do not work. From
/// memory or disk, else tried now, in a context of its own.
std::string waiting(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
