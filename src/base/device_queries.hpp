// This file defines the queries of devices that only imago's own OpenCL drivers answer.
#pragma once

namespace imago::base {

/// A parameter of clGetDeviceInfo. Its value is a cl_bool: true if CUDA's driver launches kernels
/// (src/cuda). Khronos has not assigned the number.
inline constexpr unsigned kLaunchedByCuda = 0x1A60C0DAu;

}  // namespace imago::base
