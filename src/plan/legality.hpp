// This file says which complete parameters are legal; choosing among them is the defaults'
// business.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Vector mapping: points of all lanes that a work-item may keep in private memory.
inline constexpr std::uint64_t kMostPrivatePoints = std::uint64_t{1} << 17;

/// Throws InvalidArgument for parameters that cannot compute the request on the device: it names
/// the field, its value and what is allowed.
void check(const Request& request, const device::Facts& facts, const Parameters& parameters);

}  // namespace imago::plan
