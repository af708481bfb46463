// This file chooses how a direction of a transform of host arrays is computed.
#pragma once

#include <imago/host_plan.hpp>

#include "host/arrays.hpp"
#include "host/passes.hpp"

namespace imago::host {

/// The limits of the devices of a pool for one call.
struct CallLimits {
  CallLimits(const Pool& pool, const HostOptions& options);

  Budget budget;                   ///< of the devices that get copies; of all if none does
  bool in_callers_memory = false;  ///< all devices work there
  bool leave_gaps = false;         ///< as HostOptions has it
};

/// Chooses the passes of a direction. Throws Unsupported if there is no way.
PassSchedule choose(const Whole& whole, bool inverse, const CallLimits& limits, Shapes& shapes);

}  // namespace imago::host
