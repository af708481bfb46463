// This file fills in what a kernel's parameters leave open: the defaults of each device class, as
// pure functions of the device's facts.
#pragma once

#include <cstdint>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_work_group(KernelParameters wish, const KernelContext& context,
                                     const device::Facts& facts);
KernelParameters complete_vector(KernelParameters wish, const KernelContext& context,
                                 const device::Facts& facts);

/// Components of the device's vectors that the vector mapping uses.
unsigned vector_lanes(Precision precision, const device::Facts& facts);
/// Largest transform that one kernel of the mapping takes.
std::uint64_t largest_single(Mapping mapping, Precision precision, const device::Facts& facts);
/// Largest transform that one kernel takes as tiles of columns that are neighbours in memory.
std::uint64_t largest_with_columns(Mapping mapping, Precision precision,
                                   const device::Facts& facts);
/// Most points of several axes that one kernel takes together.
std::uint64_t largest_together(Mapping mapping, Precision precision, const device::Facts& facts);

}  // namespace imago::plan
