// This file builds what the composition root decided: the kernels of a blueprint and executables of
// its directions.
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

/// The target of this library's generator. Throws InvalidArgument where a handle is null or the
/// device is not one of the context's.
runtime::Target make_target(cl_context context, cl_device_id device);

/// Where the options keep compiled kernels.
runtime::DiskCache disk_cache(const Options& options);

/// The kernels of a blueprint, in its order.
std::vector<runtime::ProgramPointer> build_kernels(const runtime::Target& target,
                                                   const Blueprint& blueprint, device::Type type,
                                                   const runtime::DiskCache& disk);

/// Null where there is no direction.
std::unique_ptr<const runtime::Executable> make_executable(
    const runtime::Target& target, const std::optional<Direction>& direction,
    const std::vector<runtime::ProgramPointer>& kernels, const runtime::DiskCache& disk);

/// The forward direction of a transform, as a part of something larger: the caller brings checked
/// handles and scratch.
struct Engine {
  Blueprint blueprint;
  std::unique_ptr<const runtime::Executable> forward;
  runtime::Handle<cl_mem> counters = {};  ///< of one launch: for one call at a time

  std::size_t scratch_bytes() const { return blueprint.forward->program.scratch_bytes; }
  double seconds() const { return blueprint.forward->seconds; }
  std::size_t launches() const { return blueprint.forward->program.launches.size(); }
};
/// Throws as Plan's constructor.
Engine make_engine(const runtime::Target& target, const device::Facts& facts,
                   const Transform& transform, const Options& options);

/// The kernels of several engines, built side by side: as long as somebody has them, make_engine()
/// has nothing to build for these transforms. Throws as Plan's constructor.
std::vector<runtime::ProgramPointer> build_ahead(const runtime::Target& target,
                                                 const device::Facts& facts,
                                                 const std::vector<Transform>& transforms,
                                                 const Options& options);

}  // namespace imago::engine
