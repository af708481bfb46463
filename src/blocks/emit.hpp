// This file turns Steps into a kernel: it composes the blocks (Copy, Butterfly, Twiddle, Radix)
// through the Lanes of the steps' mapping. It reads nothing but the steps.
#pragma once

#include "ir/kernel.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

ir::Kernel emit(const kernel::Step& step);
/// Returns a kernel of several phases, which contains the work-groups of all launches
/// (Program::one_launch).
ir::Kernel emit(const kernel::Kernel& kernel);
/// Returns a step of the work-group mapping as a function with the step's name, for a hand-written
/// kernel. Its arguments are its local memory, the number of the work-group (int), then the
/// arguments of a kernel.
ir::Kernel emit_function(const kernel::Step& step);

}  // namespace imago::blocks
