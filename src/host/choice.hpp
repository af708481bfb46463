// This file chooses how a direction of a transform of host arrays is computed.
#pragma once

#include <imago/host_plan.hpp>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// The limits of the devices of a pool for one call.
struct CallLimits {
  CallLimits(const Pool& pool, const HostOptions& options);

  Budget budget;                   ///< for the devices that get copies; if none does, for all
                                   ///< devices
  bool in_callers_memory = false;  ///< true if all devices work in the caller's memory (zero-copy)
  bool leave_gaps = false;         ///< see HostOptions
};

/// Chooses the passes of a direction. Throws Unsupported if no way fits the limits.
PassSchedule choose(const Whole& whole, bool inverse, const CallLimits& limits, Shapes& shapes);

}  // namespace imago::host
