// This file keeps the negations of floats on one side of barriers: Intel's compiler for CPUs
// computes them again behind a barrier, from operands that it did not keep.
#pragma once

#include "ir/kernel.hpp"

namespace imago::ir {

/// Where a negated value is used behind a barrier, it is negated there; where it is used on both
/// sides, where a compiler would make one of the two, it is 0 - x (whose zeros are positive). So
/// are negations of which another value is made that crosses a barrier, such as c ? -x : -y.
Kernel without_crossing_negations(Kernel kernel);

}  // namespace imago::ir
