// This file says how large the transforms can be that one kernel takes.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"

namespace imago::plan {

/// Largest transform that one kernel of the mapping takes.
std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts);
/// Largest transform that one kernel takes as tiles of columns that are neighbours in memory.
std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts);
/// Most points of several axes that one kernel takes together.
std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts);

}  // namespace imago::plan
