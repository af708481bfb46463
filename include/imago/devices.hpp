// This file finds the OpenCL devices of this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/transform.hpp>

namespace imago {

/// All devices of all platforms, in a fixed order: the indices that `imago devices` shows. Throws
/// DeviceError where there is none because drivers fail to list theirs.
IMAGO_API std::vector<cl::Device> devices();
/// The device that a wish names: an index or a part of a name; empty: IMAGO_DEVICE, else the first
/// GPU, accelerator or CPU that has `precision`. Throws InvalidArgument when there is none such,
/// and DeviceError when there is no device at all.
IMAGO_API cl::Device find_device(const std::string& wish = {},
                                 Precision precision = Precision::f32);
/// The device of one of several processes on a machine, number `turn` of them: find_device()'s
/// where IMAGO_DEVICE is set; else the devices of the type and the platform of find_device()'s are
/// dealt in turn. Throws as that.
IMAGO_API cl::Device dealt_device(std::size_t turn);

}  // namespace imago
