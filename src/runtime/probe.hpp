// This file measures device properties that a GPU's driver does not report. NVIDIA's OpenCL reports
// 48 KB of local memory. On an H200 a work-group can use 226 KB if the memory is an array of the
// kernel (and less than 48 KB if it is a kernel argument).
#pragma once

#include <cstddef>

#include "device/facts.hpp"
#include "kernel/handmade.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::runtime {

struct Probe {
  std::size_t local_bytes = 0;  ///< the largest size with which a work-group ran and computed
                                ///< correctly
  unsigned simd = 1;            ///< the driver's preferred multiple of the work-group size
};

/// Returns the cached result, else measures in a separate context, which a rejected launch cannot
/// harm. If the measurement is impossible, returns the reported values.
Probe probe(cl_device_id device, const device::Facts& reported, const DiskCache& disk);

/// Returns the kernel that uses so many bytes of local memory.
kernel::Handmade probe_kernel(std::size_t local_bytes);

/// Returns the next size to try between `good` and `bad` bytes: a size that is common among GPUs,
/// if there is one, else the middle. Both are multiples of 1 KB, and more than one apart.
std::size_t next_size(std::size_t good, std::size_t bad);

/// Measures now. Tries sizes from `reported` to `most` bytes.
Probe measure(cl_device_id device, std::size_t reported, std::size_t most);

}  // namespace imago::runtime
