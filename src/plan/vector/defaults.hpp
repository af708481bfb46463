// This file completes a kernel's parameters with the defaults of the vector mapping, a pure
// function of the device's facts.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_vector(KernelParameters wish, const KernelContext& context,
                                 const device::Facts& facts);
/// Returns the number of vector components that the vector mapping uses on the device.
unsigned vector_lanes(Precision precision, const device::Facts& facts);

}  // namespace imago::plan
