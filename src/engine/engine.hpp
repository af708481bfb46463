// This file builds the kernels of a blueprint, and executables of its directions.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <imago/plan.hpp>

#include "engine/composition.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/executable.hpp"
#include "runtime/program.hpp"
#include "runtime/target.hpp"

namespace imago::engine {

/// Returns the target for this library's generator. Throws InvalidArgument if a handle is null, or
/// if the device does not belong to the context.
runtime::Target make_target(cl_context context, cl_device_id device);

/// Returns the disk cache that the options specify.
runtime::DiskCache disk_cache(const Options& options);

/// Returns the compiled kernels of a blueprint, in its order. Throws DeviceError if OpenCL fails,
/// and InvalidArgument if the compiler rejects a user's code.
std::vector<runtime::ProgramPointer> build_kernels(const runtime::Target& target,
                                                   const Blueprint& blueprint, device::Type type,
                                                   const runtime::DiskCache& disk);

/// Returns true if build_kernels() would compile none of the blueprint's kernels.
bool are_kernels_built(const runtime::Target& target, const Blueprint& blueprint, device::Type type,
                       const runtime::DiskCache& disk);

/// Returns the executable of a direction; null if there is no direction.
std::unique_ptr<const runtime::Executable> make_executable(
    const runtime::Target& target, const std::optional<Direction>& direction,
    const std::vector<runtime::ProgramPointer>& kernels, const runtime::DiskCache& disk);

/// Returns the origins of compiled kernels.
std::vector<KernelBuild> builds_of(const std::vector<runtime::ProgramPointer>& kernels);

/// The forward direction of a transform, as a part of a larger computation. The caller supplies
/// checked handles and scratch memory.
struct Engine {
  Blueprint blueprint;
  std::unique_ptr<const runtime::Executable> forward;
  runtime::Handle<cl_mem> counters = {};  ///< atomic counters of one launch; one call at a time
  std::vector<KernelBuild> builds = {};   ///< builds of the blueprint's kernels

  std::size_t scratch_bytes() const { return blueprint.forward->program.scratch_bytes; }
  double seconds() const { return blueprint.forward->seconds; }
  std::size_t launches() const { return blueprint.forward->program.launches.size(); }
};
/// Makes the engine. Throws as Plan's constructor.
Engine make_engine(const runtime::Target& target, const device::Facts& facts,
                   const Transform& transform, const Options& options);

/// Makes an engine of generic kernels, which must be able to compute the transform.
Engine make_generic_engine(const runtime::Target& target, const device::Facts& facts,
                           const Transform& transform, const Options& options);

/// Returns the kernels of several engines, built in parallel and not cached. While these kernels
/// exist, make_engine() builds nothing for the same transforms. Throws as Plan's constructor.
std::vector<runtime::ProgramPointer> build_ahead(const runtime::Target& target,
                                                 const device::Facts& facts,
                                                 const std::vector<Transform>& transforms,
                                                 const Options& options);

}  // namespace imago::engine
