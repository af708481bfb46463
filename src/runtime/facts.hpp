// This file describes an OpenCL device as plain data. The data are the reported properties and the
// measured limits of a GPU.
#pragma once

#include "device/facts.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Returns the properties that the device reports.
device::Facts reported_facts(cl_device_id device);
/// Returns the properties with the usable local memory of a GPU, measured once per device and
/// driver (see probe.hpp).
device::Facts facts(cl_device_id device, const DiskCache& disk);
/// Returns true if facts() would measure nothing.
bool are_facts_known(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
