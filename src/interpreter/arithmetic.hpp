// This file computes what operations make of the values of an interpreted kernel.
#pragma once

#include <cstdint>

#include "interpreter/cell.hpp"
#include "interpreter/work_items.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

/// Runs an operation whose result's lanes are each made of the same lane of the operands.
void compute_lanewise(const ir::Kernel& kernel, WorkItems& items, std::uint32_t index);

/// The value in another type.
Cell converted(const ir::Kernel& kernel, Cell value, ir::Base from, ir::Base to);

}  // namespace imago::interpreter
