// This file says how many registers a work-item needs: by a scan of the kernel's code, which is
// exact but needs the code, and by a closed form of the Step that agrees with the scan (tests/model
// compares them) and costs nothing.
#pragma once

#include "ir/kernel.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// Registers of 32 bits that are live at once, at most, and a few for the compiler. Indices count
/// from their first use by something that is no index, since compilers form addresses where they
/// are used; constants, arguments and sums with a constant are free (operands and offsets of
/// instructions).
unsigned registers_of(const ir::Kernel& kernel);

/// The same, estimated: the points that an item holds, and the twiddle factors of a pass.
unsigned registers_of(const kernel::Step& step);

/// Points that a work-item holds in its fullest pass.
unsigned points_of(const kernel::Step& step);

}  // namespace imago::model
