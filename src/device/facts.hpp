// This file describes a device as plain data. The planner and the model read nothing else of it, so
// a plan for any device can be made, printed and tested on a machine that does not have it.
#pragma once

#include <cstddef>
#include <string>

namespace imago::device {

enum class Type { cpu, gpu, accelerator };

struct Facts {
  std::string name, vendor, driver, platform;
  Type type = Type::gpu;
  unsigned compute_units = 1;
  unsigned max_work_group = 256;    ///< work-items
  unsigned simd = 32;               ///< work-items that run in step (warp, wavefront)
  unsigned vector_f32 = 1;          ///< native vector width in components
  unsigned vector_f64 = 0;          ///< 0 without f64
  std::size_t local_bytes = 32768;  ///< per work-group, probed: may exceed what the driver reports
  std::size_t global_bytes = 0, max_alloc_bytes = 0;
  std::size_t cache_bytes = 0;  ///< last-level cache of global memory, as reported
  bool f64 = false;
  friend bool operator==(const Facts&, const Facts&) = default;
};

}  // namespace imago::device
