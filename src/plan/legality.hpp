// This file says which complete parameters are legal; choosing among them is the defaults'
// business.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Throws InvalidArgument for parameters that cannot compute the request on the device: it names
/// the field, its value and what is allowed.
void check(const Request& request, const device::Facts& facts, const Parameters& parameters);

}  // namespace imago::plan
