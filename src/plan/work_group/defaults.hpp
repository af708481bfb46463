// This file completes a kernel's parameters with the defaults of the work-group mapping, a pure
// function of the device's facts.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_work_group(KernelParameters wish, const KernelContext& context,
                                     const device::Facts& facts);

/// Returns true if one work-group's registers can hold a line longer than lines::largest_single().
/// It is false for lengths without radices that distribute the points evenly enough.
bool fits_registers(const lines::Request& request, const device::Facts& facts);

}  // namespace imago::plan
