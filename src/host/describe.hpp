// This file describes in words how a direction is computed.
#pragma once

#include <string>

#include "host/passes.hpp"

namespace imago::host {

/// Returns a line for each pass: "forward: 8 pieces of shapes 0 and 1, 3 at a time on each device".
std::string describe(const PassSchedule& schedule, const std::string& direction);

}  // namespace imago::host
