// This file tests a device before its first plan: it computes a few small transforms, with every
// method to exchange points between lanes, and compares them with the host's results. OpenCL
// compilers have silently compiled such kernels wrong (docs/implementations.md).
#pragma once

#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "engine/composition.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::engine {

/// The kernels that one run of the self-test covers.
struct Tested {
  Mapping mapping = Mapping::automatic;
  bool pairs = false;  ///< true: f64 in pairs of f32; false: all other arithmetic
  friend auto operator<=>(const Tested&, const Tested&) = default;
};

/// Runs the self-test for each mapping of the blueprint, once per device, driver and generator; the
/// result is cached on disk. Throws DeviceError with the transform that was wrong. Does nothing if
/// the options or $IMAGO_TRUST_DEVICE=1 trust the device. If the driver fails during the test, logs
/// a warning and returns.
void prove(cl_device_id device, const device::Facts& facts, const Blueprint& blueprint,
           const Options& options);

/// Runs the self-test for generic kernels in the blueprint's precision, as prove() does.
void prove_generic(const runtime::Target& target, const device::Facts& facts,
                   const Blueprint& blueprint, const Options& options);

/// Returns the transforms of the self-test that the device can compute.
std::vector<Transform> proof_transforms(const device::Facts& facts, bool pairs = false);

/// Returns the name of the transform that was wrong; empty if all were right.
std::string proof(cl_device_id device, const device::Facts& facts, const Tested& tested,
                  const runtime::DiskCache& disk);
/// Returns the cache key of the result of proof().
base::Digest proof_key(cl_device_id device, const Tested& tested);

/// True if ||found - expected|| / ||expected|| of any batch element is far above the errors of a
/// correct device. Batch elements have equal lengths.
bool wrong(const std::vector<double>& found, const std::vector<double>& expected,
           Precision precision, std::size_t members = 1);

}  // namespace imago::engine
