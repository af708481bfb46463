// This file computes the layout of an interpreted group's values.
#include "interpreter/work_items.hpp"

#include <numeric>

#include "base/errors.hpp"

namespace imago::interpreter {

void fail(const ir::Kernel& kernel, const std::string& what) {
  base::internal_error("kernel " + kernel.name + ": " + what);
}

WorkItems::WorkItems(const ir::Kernel& kernel) : kernel_(kernel) {
  std::size_t size = 0;
  for (const ir::Instruction& instruction : kernel.code) {
    offsets_.push_back(size);
    size += std::size_t{instruction.type.lanes} * kernel.work_group_size;
  }
  values_.resize(size);
}

void WorkItems::activate_all() {
  active_.resize(kernel_.work_group_size);
  std::iota(active_.begin(), active_.end(), 0u);
}

}  // namespace imago::interpreter
