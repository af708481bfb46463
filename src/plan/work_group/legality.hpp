// This file checks which complete parameters of a kernel are legal in the work-group mapping.
#pragma once

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

void check_work_group(const KernelParameters& kernel, const KernelContext& context,
                      const device::Facts& facts);

/// Returns the bytes of local memory, before padding.
std::uint64_t exchanged_bytes(const KernelParameters& kernel, const KernelContext& context);
/// Returns true if passes of the kernel can write where they read (Exchange::in_place).
bool takes_in_place(const KernelContext& context);
/// Returns the largest radix that so many work-items have registers for if points stay in place.
unsigned widest_in_place(unsigned items, const KernelContext& context, const device::Facts& facts);
/// Returns the points that a work-item holds in the largest pass.
std::uint64_t points_held(const KernelParameters& kernel);
/// Returns the points that a work-item may hold: lines::kMostPointsPerItem, or those of a larger
/// radix.
std::uint64_t most_points_held(const KernelParameters& kernel);

}  // namespace imago::plan
