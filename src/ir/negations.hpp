// This file keeps the negations of floats on one side of barriers. Intel's compiler for CPUs
// computes them again after a barrier, from operands that it did not keep.
#pragma once

#include "ir/kernel.hpp"

namespace imago::ir {

/// Moves a negation after the barrier if its value is only used there. If it is used on both sides,
/// where a compiler would merge the two, it becomes 0 - x (whose zeros are positive). The same
/// holds for negations that make up another value that crosses a barrier, such as c ? -x : -y.
Kernel without_crossing_negations(Kernel kernel);

}  // namespace imago::ir
