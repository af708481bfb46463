// This file fills in what a kernel's parameters leave open: the defaults of the work-group
// mapping, a pure function of the device's facts.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_work_group(KernelParameters wish, const KernelContext& context,
                                     const device::Facts& facts);

/// Whether one work-group's registers hold a line that is longer than lines::largest_single: some
/// lengths have no radices that deal it evenly enough.
bool fits_registers(const lines::Request& request, const device::Facts& facts);

}  // namespace imago::plan
