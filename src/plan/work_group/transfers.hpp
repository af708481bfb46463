// This file decides which values of a work-group pass through local memory on their way between
// global memory and the passes.
#pragma once

#include "kernel/step.hpp"

namespace imago::plan {

/// Writes what the mapping of a step decides of its load and its store (kernel::WorkGroup). Its
/// passes, columns, items and axes are known.
void choose_transfers(kernel::Step& step);

}  // namespace imago::plan
