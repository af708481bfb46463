// This file describes an OpenCL device as plain data: what it reports, and what a GPU was found to
// do.
#pragma once

#include "device/facts.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// What the device says about itself.
device::Facts reported_facts(cl_device_id device);
/// With the local memory that a GPU really has, probed once per device and driver (see probe.hpp).
device::Facts facts(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
