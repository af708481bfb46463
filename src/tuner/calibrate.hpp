// This file measures a device's rates for the cost model, once. The rates are copy bandwidth (of
// whole arrays and of segments), local memory bandwidth, arithmetic, and the cost of one more
// launch.
#pragma once

#include <vector>

#include "device/facts.hpp"
#include "kernel/handmade.hpp"
#include "runtime/opencl.hpp"

namespace imago::tuner {

/// Measured rates, and the largest scatter of a rate's rounds: median over fastest, less 1. On an
/// idle machine the scatter is some hundredths; if other programs use the same cores, it exceeds
/// kScatter.
struct Calibration {
  device::Rates rates;
  double scatter = 0;
};
inline constexpr double kScatter = 0.25;

/// Returns the kernels for vectors of this many float32 numbers.
std::vector<kernel::Handmade> calibration_kernels(unsigned vector);

/// Measures now, in a separate context, for about a second. `facts` determine sizes and mapping.
/// Throws DeviceError if an OpenCL call fails.
Calibration calibrate(cl_device_id device, const device::Facts& facts);

/// Returns the better value of each rate, because disturbances only make rates worse.
device::Rates better_of(const device::Rates& a, const device::Rates& b);

}  // namespace imago::tuner
