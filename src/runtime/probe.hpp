// This file measures what a GPU's driver does not tell. NVIDIA's OpenCL reports 48 KB of local
// memory but gives a work-group 226 KB on an H200, when the memory is an array of the kernel (as a
// kernel argument it gives less than 48 KB).
#pragma once

#include <cstddef>

#include "device/facts.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

struct Probe {
  std::size_t local_bytes = 0;  ///< the largest size that a work-group ran with and got right
  unsigned simd = 1;            ///< the driver's preferred multiple of the work-group size
};

/// From memory or disk, else measured in a context of its own, which a rejected launch cannot harm.
/// A device that cannot be probed is believed what it reports.
Probe probe(cl_device_id device, const device::Facts& reported, const DiskCache& disk);

/// The size between `good` and `bad` bytes to try next: what GPUs are known to have, where there is
/// such a size, else the middle. Both are multiples of 1 KB, and more than one apart.
std::size_t next_size(std::size_t good, std::size_t bad);

/// Measures now. Tries sizes from `reported` up to `most` bytes.
Probe measure(cl_device_id device, std::size_t reported, std::size_t most);

}  // namespace imago::runtime
