// This file describes a device as plain data. The planner and the model read nothing else of it, so
// a plan for any device can be made, printed and tested on a machine that does not have it.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace imago::device {

enum class Type { cpu, gpu, accelerator };

/// What limits the work-groups that a compute unit holds at a time. OpenCL reports none of it: the
/// defaults are those of current GPUs (CUDA C++ programming guide, "Technical specifications per
/// compute capability", 8.0 and 9.0).
struct ComputeUnit {
  unsigned registers = 65536;     ///< 32-bit ones
  unsigned items = 2048;          ///< work-items
  unsigned groups = 32;           ///< work-groups
  std::size_t local_bytes = 0;    ///< shared by its work-groups; 0: what one work-group may have
  unsigned item_registers = 255;  ///< that one work-item may use
  friend bool operator==(const ComputeUnit&, const ComputeUnit&) = default;
};

/// What was measured on the device, once; zero: not measured.
struct Rates {
  double copy_bytes = 0;      ///< global memory, read and written by a copy, per second
  double local_bytes = 0;     ///< local memory, of all compute units, per second
  double flops = 0;           ///< single precision, per second (an fma is two)
  double launch_seconds = 0;  ///< one more kernel takes in a full queue
  /// Share of copy_bytes that segments of 16, 32, 64, 128 and 256 bytes reach, taken down columns
  /// of rows of 8 KB.
  std::array<double, 5> segments = {};
  friend bool operator==(const Rates&, const Rates&) = default;
};

/// Global memory, as the driver reports it.
struct Memory {
  std::size_t bytes = 0;
  std::size_t largest_buffer = 0;  ///< in bytes
  std::size_t cache_bytes = 0;     ///< of the last-level cache
  friend bool operator==(const Memory&, const Memory&) = default;
};

struct Facts {
  std::string name, vendor, driver, platform;
  /// What the compute units are: "sm_90", "cpu-512" (bits of a vector); empty: not known. Devices
  /// of one architecture share tuned parameters.
  std::string architecture;
  Type type = Type::gpu;
  unsigned compute_units = 1;
  unsigned max_work_group = 256;    ///< work-items
  unsigned simd = 32;               ///< work-items that run in step (warp, wavefront)
  unsigned vector_f32 = 1;          ///< native vector width in components
  unsigned vector_f64 = 0;          ///< 0 without f64
  std::size_t local_bytes = 32768;  ///< per work-group, probed: may exceed what the driver reports
  Memory memory = {};
  bool f64 = false;
  /// The OpenCL C ("CL3.0") whose work-groups can wait for each other, as a probe found; empty:
  /// they cannot, as far as is known.
  std::string waiting = {};
  /// What a work-item loaded before a barrier is what it has behind it, as a probe found; else the
  /// compiler loads again, from where others may have stored.
  bool keeps_loads = true;
  ComputeUnit compute_unit = {};
  Rates rates = {};
  friend bool operator==(const Facts&, const Facts&) = default;
};

}  // namespace imago::device
