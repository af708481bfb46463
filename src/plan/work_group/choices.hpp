// This file lists what a kernel of the work-group mapping can be: near its defaults, and at all.
#pragma once

#include <vector>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// As MappingRules::variations and MappingRules::choices.
std::vector<KernelParameters> vary_work_group(const KernelParameters& defaults,
                                              const KernelContext& context);
std::vector<KernelParameters> choices_of_work_group(const KernelParameters& radices,
                                                    const KernelContext& context,
                                                    const device::Facts& facts);

}  // namespace imago::plan
