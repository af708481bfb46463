// This file emits generic kernels (kernel/generic.hpp).
#pragma once

#include "ir/kernel.hpp"
#include "kernel/step.hpp"

namespace imago::blocks {

/// Returns the kernel of a step with generic lanes.
ir::Kernel emit_generic(const kernel::Step& step);

}  // namespace imago::blocks
