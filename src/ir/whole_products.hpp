// This file keeps products of sums from being distributed. Intel's compiler for CPUs (2026.2)
// multiplies the terms of a scalar sum by a number before it adds them, which rounds differently.
#pragma once

#include "ir/kernel.hpp"

namespace imago::ir {

/// Makes such products fma(sum, number, 0), which that compiler leaves alone; only zeros can have
/// another sign.
Kernel with_whole_products(Kernel kernel);

}  // namespace imago::ir
