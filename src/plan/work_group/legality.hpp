// This file checks which complete parameters of a kernel are legal in the work-group mapping.
#pragma once

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

void check_work_group(const KernelParameters& kernel, const KernelContext& context,
                      const device::Facts& facts);

}  // namespace imago::plan
