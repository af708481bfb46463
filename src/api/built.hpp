// This file defines Built: an engine with its workspace.
#pragma once

#include <memory>

#include <imago/plan.hpp>

#include "engine/engine.hpp"

namespace imago::api {

struct Built : engine::Engine {
  /// Allocates the workspace and builds the kernels. Throws as Plan's constructor.
  static std::shared_ptr<const Built> make(const runtime::Target& target,
                                           engine::Blueprint blueprint, device::Type type,
                                           const Options& options);

  std::shared_ptr<Workspace::State> workspace;  ///< null if none is needed
};

}  // namespace imago::api
