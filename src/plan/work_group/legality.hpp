// This file checks which complete parameters of a kernel are legal in the work-group mapping.
#pragma once

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

void check_work_group(const KernelParameters& kernel, const KernelContext& context,
                      const device::Facts& facts);

/// Returns the bytes of local memory, before padding.
std::uint64_t exchanged_bytes(const KernelParameters& kernel, const KernelContext& context);
/// Returns the points that a work-item holds in the largest pass.
std::uint64_t points_held(const KernelParameters& kernel);

}  // namespace imago::plan
