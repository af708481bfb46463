// This file rewrites a kernel before it is rendered: added products become fma, and values that no
// store needs are dropped.
#pragma once

#include "ir/kernel.hpp"

namespace imago::ir {

/// Fuses each float product whose only uses are sums or differences into an fma, which rounds once
/// instead of twice. Drops instructions without effect on memory or control flow.
Kernel contract(Kernel kernel);

}  // namespace imago::ir
