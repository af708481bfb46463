// This file fills in what a kernel's parameters leave open: the defaults of the vector mapping,
// a pure function of the device's facts.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_vector(KernelParameters wish, const KernelContext& context,
                                 const device::Facts& facts);
/// Components of the device's vectors that the vector mapping uses.
unsigned vector_lanes(Precision precision, const device::Facts& facts);

}  // namespace imago::plan
