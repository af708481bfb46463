// This file estimates the registers of a work-item, in two ways. A scan of the kernel's code is
// exact but needs the code. A closed form of the Step costs nothing and agrees with the scan
// (tests/model compares them).
#pragma once

#include "ir/kernel.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// Returns the largest number of 32-bit registers that are live at once, plus a few for the
/// compiler. An index is live from its first use by a value that is no index, because compilers
/// compute addresses at their use. Constants, arguments and sums with a constant are free (operands
/// and offsets of instructions).
unsigned registers_of(const ir::Kernel& kernel);

/// Returns an estimate from the points that a work-item holds, and the twiddle factors of a pass.
unsigned registers_of(const kernel::Step& step);

/// Returns the points that a work-item holds in its largest pass.
unsigned points_of(const kernel::Step& step);

}  // namespace imago::model
