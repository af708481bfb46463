// This file describes a device as plain data. The planner and the model read nothing else about the
// device, so a plan for any device can be made, printed and tested on a machine without it.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/ring.hpp"

namespace imago::device {

enum class Type { cpu, gpu, accelerator };

/// Limits on the work-groups that a compute unit runs at the same time. OpenCL reports none of
/// them. The defaults are those of current GPUs (CUDA C++ programming guide, "Technical
/// specifications per compute capability", 8.0 and 9.0).
struct ComputeUnit {
  unsigned registers = 65536;     ///< 32-bit registers
  unsigned items = 2048;          ///< work-items
  unsigned groups = 32;           ///< work-groups
  std::size_t local_bytes = 0;    ///< shared by its work-groups; 0: the limit of one work-group
  unsigned item_registers = 255;  ///< the most that one work-item can use
  /// Registers that the device's compiler needs for each one of NVIDIA's compiler.
  double register_factor = 1;
  /// False for a bound of the time (plan/choice): the banks of local memory then serve all accesses
  /// at once.
  bool bank_conflicts = true;
  /// True if the device's compiler moves loads from global memory down to the operations that use
  /// them, so that few are under way at a time (docs/measured/h200.md, "Loads together").
  bool moves_loads = false;
  friend bool operator==(const ComputeUnit&, const ComputeUnit&) = default;
};

/// Measured throughput of the device; zero: not measured.
struct Rates {
  double copy_bytes = 0;      ///< global memory, bytes that a copy reads and writes per second
  double local_bytes = 0;     ///< local memory, bytes of all compute units per second
  double flops = 0;           ///< single precision, per second (an fma is two)
  double flops_f64 = 0;       ///< double precision, likewise; 0: not measured
  double launch_seconds = 0;  ///< time that one more kernel adds in a full queue
  /// Fraction of copy_bytes reached with segments of 16, 32, 64, 128 and 256 bytes, accessed down
  /// the columns of a matrix with rows of 8 KB.
  std::array<double, 5> segments = {};
  friend bool operator==(const Rates&, const Rates&) = default;
};

/// Global memory, as the driver reports it.
struct Memory {
  std::size_t bytes = 0;
  std::size_t largest_buffer = 0;  ///< in bytes
  std::size_t cache_bytes = 0;     ///< size of the last-level cache
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// The ways to compute f64.
struct Doubles {
  bool native = false;  ///< true if the device has doubles
  bool fma = true;      ///< true if it has an fma of f32, for pairs
  bool pairs = false;   ///< true if pairs of f32 are used: the choice of a plan, not of the device
  base::Ring ring = base::Ring::none;  ///< the ring of an exact plan, which needs no doubles
  friend bool operator==(const Doubles&, const Doubles&) = default;
};

struct Facts {
  std::string name, vendor, driver, platform;
  /// The kind of compute units: "sm_90", "cpu-512" (bits of a vector); empty: not known. Devices of
  /// one architecture share tuned parameters.
  std::string architecture;
  Type type = Type::gpu;
  unsigned compute_units = 1;
  unsigned max_work_group = 256;    ///< work-items
  unsigned simd = 32;               ///< work-items that execute in lockstep (warp, wavefront)
  unsigned vector_f32 = 1;          ///< native vector width in components
  unsigned vector_f64 = 0;          ///< 0 without f64
  std::size_t local_bytes = 32768;  ///< per work-group, measured: may exceed the driver's figure
  Memory memory = {};
  Doubles f64 = {};
  /// The OpenCL C version ("CL3.0") in which work-groups can wait for each other, as a test kernel
  /// found; empty: they cannot, or it is not known.
  std::string waiting = {};
  /// True if a value that was loaded before a barrier is unchanged after it, as a test kernel
  /// found. Otherwise the compiler loads it again, and another work-item may have overwritten the
  /// memory.
  bool keeps_loads = true;
  /// True if CUDA's driver launches the kernels. A launch costs less than the waiting of
  /// work-groups in a long kernel, and in a CUDA graph next to nothing.
  bool by_cuda = false;
  ComputeUnit compute_unit = {};
  Rates rates = {};
  friend bool operator==(const Facts&, const Facts&) = default;
};

/// Returns ComputeUnit::moves_loads of an architecture: NVIDIA's compiler was seen to do so.
inline bool moves_loads(const std::string& architecture) { return architecture.starts_with("sm_"); }

}  // namespace imago::device
