// This file computes the results of operations on values of an interpreted kernel.
#pragma once

#include <cstdint>

#include "interpreter/cell.hpp"
#include "interpreter/work_items.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

/// Executes an operation that computes each lane of its result from the same lane of its operands.
void compute_lanewise(const ir::Kernel& kernel, WorkItems& items, std::uint32_t index);

/// Returns the value converted to another type.
Cell converted(const ir::Kernel& kernel, Cell value, ir::Base from, ir::Base to);

}  // namespace imago::interpreter
