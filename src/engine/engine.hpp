// This file defines Engine: a blueprint with its kernels.
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

/// The kernels of a blueprint, and executables of its directions. The caller supplies checked
/// handles and scratch memory.
struct Engine {
  Engine() = default;
  /// Builds the kernels. Throws DeviceError if OpenCL fails, and InvalidArgument if the compiler
  /// rejects a user's code.
  Engine(const runtime::Target& target, Blueprint decided, device::Type type,
         const runtime::DiskCache& disk);

  Blueprint blueprint;
  std::unique_ptr<const runtime::Executable> forward, inverse;  ///< null: there is no direction
  std::vector<KernelBuild> builds;                              ///< builds of the kernels
  runtime::Handle<cl_mem> counters;  ///< make_engine(): counters of one launch; one call at a time

  const std::unique_ptr<const runtime::Executable>& of(bool is_inverse) const {
    return is_inverse ? inverse : forward;
  }
  std::vector<KernelSource> sources() const;  ///< the kernels' sources, in the order of `builds`
  std::size_t scratch_bytes() const { return blueprint.workspace_bytes(); }
  std::size_t launches() const { return blueprint.first().program.launches.size(); }
};

/// Returns true if the engine would compile none of the blueprint's kernels.
bool are_kernels_built(const runtime::Target& target, const Blueprint& blueprint, device::Type type,
                       const runtime::DiskCache& disk);

/// Makes an engine that computes one call at a time, as a part of a larger computation. Throws as
/// Plan's constructor.
Engine make_engine(const runtime::Target& target, const device::Facts& facts,
                   const Transform& transform, const Options& options);

/// Makes such an engine of generic kernels, which must be able to compute the transform.
Engine make_generic_engine(const runtime::Target& target, const device::Facts& facts,
                           const Transform& transform, const Options& options);

/// Returns the kernels of several engines, built in parallel and not cached. While these kernels
/// exist, make_engine() builds nothing for the same transforms. Throws as Plan's constructor.
std::vector<runtime::ProgramPointer> build_ahead(const runtime::Target& target,
                                                 const device::Facts& facts,
                                                 const std::vector<Transform>& transforms,
                                                 const Options& options);

}  // namespace imago::engine
