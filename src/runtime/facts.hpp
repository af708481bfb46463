// This file describes an OpenCL device as plain data. The data are the reported properties and the
// measured limits of a GPU.
#pragma once

#include "device/facts.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

/// Native vector widths in components; 0 for f64 if the device has none.
struct VectorWidths {
  unsigned f32 = 1, f64 = 0;
  friend bool operator==(const VectorWidths&, const VectorWidths&) = default;
};

/// Returns the widths to plan with, given the reported ones. CPUs have at least vectors of 128 bits
/// (SSE2, NEON), although PoCL reports scalars if it cannot read the CPU's features, as in QEMU.
VectorWidths usable_widths(device::Type type, VectorWidths reported);
/// Returns the properties that the device reports, with usable_widths().
device::Facts reported_facts(cl_device_id device);
/// Returns the properties with the usable local memory of a GPU, measured once per device and
/// driver (see probe.hpp).
device::Facts facts(cl_device_id device, const DiskCache& disk);
/// Returns true if facts() would measure nothing.
bool are_facts_known(cl_device_id device, const DiskCache& disk);

}  // namespace imago::runtime
