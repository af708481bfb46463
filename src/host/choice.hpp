// This file chooses how a direction of a transform of host arrays is computed.
#pragma once

#include <imago/host_plan.hpp>

#include "host/arrays.hpp"
#include "host/course.hpp"

namespace imago::host {

/// What the devices of a pool allow for one call.
struct Means {
  Means(const Pool& pool, const HostOptions& options);

  Budget budget;                   ///< of the devices that get copies; of all where none does
  bool in_callers_memory = false;  ///< all devices work there
  bool leave_gaps = false;         ///< as HostOptions has it
};

/// Throws Unsupported where there is no way.
Course choose(const Whole& whole, bool inverse, const Means& means, Shapes& shapes);

}  // namespace imago::host
