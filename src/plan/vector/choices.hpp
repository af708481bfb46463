// This file lists the possible parameters of a kernel in the vector mapping: variations of its
// defaults, and all of them.
#pragma once

#include <vector>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// Implement MappingRules::variations and MappingRules::choices.
std::vector<KernelParameters> vary_vector(const KernelParameters& defaults,
                                          const KernelContext& context, const device::Facts& facts);
std::vector<KernelParameters> choices_of_vector(const KernelParameters& radices,
                                                const KernelContext& context,
                                                const device::Facts& facts);

}  // namespace imago::plan
