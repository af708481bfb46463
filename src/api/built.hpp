// This file defines Built: a blueprint with its kernels and its workspace.
#pragma once

#include <memory>
#include <vector>

#include <imago/plan.hpp>

#include "engine/blueprint.hpp"
#include "runtime/executable.hpp"
#include "runtime/target.hpp"

namespace imago::api {

struct Built {
  /// Builds the kernels. Throws as Plan's constructor.
  Built(const runtime::Target& target, engine::Blueprint decided, device::Type type,
        const Options& options);

  engine::Blueprint blueprint;
  std::vector<KernelBuild> builds;  ///< builds of the blueprint's kernels
  std::unique_ptr<const runtime::Executable> forward, inverse;
  std::shared_ptr<Workspace::State> workspace;  ///< null if none is needed
};

}  // namespace imago::api
