// This file checks which complete parameters of a kernel are legal in the vector mapping.
#pragma once

#include <cstdint>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// The most points, of all lanes, in a work-item's private memory.
inline constexpr std::uint64_t kMostPrivatePoints = std::uint64_t{1} << 17;

void check_vector(const KernelParameters& kernel, const KernelContext& context,
                  const device::Facts& facts);

}  // namespace imago::plan
