// This file turns Steps into a kernel: it composes the blocks (Copy, Butterfly, Twiddle, Radix)
// through the Lanes of the steps' mapping. It reads the steps and nothing else.
#pragma once

#include "ir/kernel.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

ir::Kernel emit(const kernel::Step& step);
/// Of several phases: the work-groups of all launches in one (Program::one_launch).
ir::Kernel emit(const kernel::Kernel& kernel);
/// Of a step in the work-group mapping: a function of the step's name for a kernel that is written
/// by hand; it takes behind its local memory the number of the work-group (int), then what a kernel
/// takes.
ir::Kernel emit_function(const kernel::Step& step);

}  // namespace imago::blocks
