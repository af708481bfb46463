// This file fills in what a kernel's parameters leave open: the defaults of the work-group
// mapping, a pure function of the device's facts.
#pragma once

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

KernelParameters complete_work_group(KernelParameters wish, const KernelContext& context,
                                     const device::Facts& facts);

}  // namespace imago::plan
