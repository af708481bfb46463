// This file decides which values of a work-group pass through local memory between global memory
// and the passes.
#pragma once

#include "kernel/step.hpp"

namespace imago::plan {

/// Sets the fields of kernel::WorkGroup that describe the load and the store of a step, whose
/// passes, columns, items and axes must be set.
void choose_transfers(kernel::Step& step);

}  // namespace imago::plan
