// This file turns Steps into a kernel: it composes the blocks (Copy, Butterfly, Twiddle, Radix)
// through the Lanes of the steps' mapping. It reads the steps and nothing else.
#pragma once

#include "ir/kernel.hpp"
#include "plan/program.hpp"

namespace imago::blocks {

ir::Kernel emit(const plan::Step& step);
/// Of several phases: the work-groups of all launches in one (Program::one_launch).
ir::Kernel emit(const plan::Kernel& kernel);

}  // namespace imago::blocks
