// This file runs a kernel: it binds the arguments and runs all work-groups.
#include "interpreter/interpreter.hpp"

#include <string>

#include "base/errors.hpp"
#include "interpreter/residents.hpp"
#include "interpreter/work_group.hpp"

namespace imago::interpreter {

void run(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments,
         const Schedule& schedule) {
  if (arguments.size() != kernel.arguments.size()) {
    base::internal_error("kernel " + kernel.name + " has " +
                         std::to_string(kernel.arguments.size()) + " arguments; bound are " +
                         std::to_string(arguments.size()));
  }
  Common common(kernel, groups, arguments);
  Residents(common, groups, schedule).run();
}

}  // namespace imago::interpreter
