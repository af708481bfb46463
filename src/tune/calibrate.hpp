// This file measures what the model needs to know of a device, once: how fast it copies, whole and
// in segments, how fast local memory and arithmetic are, and what one more launch costs.
#pragma once

#include "device/facts.hpp"
#include "runtime/opencl.hpp"

namespace imago::tune {

/// Rates, and how far the rounds of a figure were apart at most: median over fastest, less 1. On an
/// idle machine some hundredths; where others compute on the same cores, more than kScatter.
struct Calibration {
  device::Rates rates;
  double scatter = 0;
};
inline constexpr double kScatter = 0.25;

/// Measures now, in a context of its own: about a second. `facts` decide sizes and mapping. Throws
/// DeviceError where the device refuses.
Calibration calibrate(cl_device_id device, const device::Facts& facts);

/// Of two measurements the better of each rate: what disturbs only takes away.
device::Rates better_of(const device::Rates& a, const device::Rates& b);

}  // namespace imago::tune
