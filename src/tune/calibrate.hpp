// This file measures what the model needs to know of a device, once: how fast it copies, whole and
// in segments, how fast local memory and arithmetic are, and what one more launch costs.
#pragma once

#include "device/facts.hpp"
#include "runtime/opencl.hpp"

namespace imago::tune {

/// Measures now, in a context of its own: about a second. `facts` decide sizes and mapping. Throws
/// DeviceError where the device refuses.
device::Rates calibrate(cl_device_id device, const device::Facts& facts);

}  // namespace imago::tune
