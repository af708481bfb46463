// This file declares functions that find the OpenCL devices of this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Returns all devices of all platforms, in a fixed order: that of the indices that `imago devices`
/// prints. The list may be empty. Throws DeviceError if it is empty because a driver failed to list
/// its devices.
IMAGO_API std::vector<cl::Device> devices();
/// Returns the device that `wish` names by its index or a part of its name. If `wish` is empty, the
/// environment variable IMAGO_DEVICE is used instead. If that is not set either, returns the first
/// device that has `precision`: GPUs come before accelerators, and accelerators before CPUs. Throws
/// InvalidArgument if no device matches, and DeviceError if there is no device at all.
IMAGO_API cl::Device find_device(const std::string& wish = {},
                                 Precision precision = Precision::f32);
/// Returns the device for process number `turn` (from 0) of several processes on a machine. The
/// processes get the devices of find_device()'s type and platform in turn; if IMAGO_DEVICE is set,
/// all get find_device(). Throws InvalidArgument and DeviceError as find_device().
IMAGO_API cl::Device dealt_device(std::size_t turn);

}  // namespace imago
