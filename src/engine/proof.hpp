// This file proves a device before its first plan: a few small transforms, through every way that
// lanes exchange points, are computed and compared with the host's. Compilers of OpenCL C have got
// such kernels wrong without a word (docs/implementations.md).
#pragma once

#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "engine/composition.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"

namespace imago::engine {

/// Throws DeviceError, with the transform that was wrong, where the device computes one of the
/// proof wrong in a mapping that the blueprint uses; not where the options or
/// $IMAGO_TRUST_DEVICE=1 trust it. Once per device, driver and generator: the answer is kept on
/// disk. Where the proof cannot be carried out (the driver fails), a warning says so, and the plan
/// is made.
void prove(cl_device_id device, const device::Facts& facts, const Blueprint& blueprint,
           const Options& options);

/// The transforms of the proof that the device can compute.
std::vector<Transform> proof_transforms(const device::Facts& facts);

/// What the proof found: empty where all is well.
std::string proof(cl_device_id device, const device::Facts& facts, Mapping mapping,
                  const runtime::DiskCache& disk);
/// The name of its entry in the cache, which holds what the proof found.
base::Digest proof_key(cl_device_id device, Mapping mapping);

/// True if ||found - expected|| / ||expected|| of one of the members, which are equally long, is
/// far above the errors of a right device.
bool wrong(const std::vector<double>& found, const std::vector<double>& expected,
           Precision precision, std::size_t members = 1);

}  // namespace imago::engine
