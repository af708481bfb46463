// This file turns a Step into a kernel: it composes the blocks (Copy, Butterfly, Twiddle, Radix)
// through the Lanes of the step's mapping. It reads the step and nothing else.
#pragma once

#include "ir/kernel.hpp"
#include "plan/program.hpp"

namespace imago::blocks {

ir::Kernel emit(const plan::Step& step);

}  // namespace imago::blocks
