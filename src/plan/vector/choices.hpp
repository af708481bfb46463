// This file lists what a kernel of the vector mapping can be: near its defaults, and at all.
#pragma once

#include <vector>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// As MappingRules::variations and MappingRules::choices.
std::vector<KernelParameters> vary_vector(const KernelParameters& defaults,
                                          const KernelContext& context);
std::vector<KernelParameters> choices_of_vector(const KernelParameters& radices,
                                                const KernelContext& context,
                                                const device::Facts& facts);

}  // namespace imago::plan
