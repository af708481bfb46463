// This file renders what orders the work-groups of a kernel: the two counters, as atomics of OpenCL
// C 2.0, which 3.0 has as features.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

/// The functions that the kernel's operations on counters call.
std::string counter_functions(const Kernel& kernel);
/// All of them, for kernels that are written by hand, with groups of several work-items.
std::string counter_functions();
/// The variable through which one work-item hands the others their ticket, where there are others.
std::string ticket_declaration(const Kernel& kernel);
/// The value of Op::take_ticket.
std::string ticket_taken(const Kernel& kernel, const Instruction& instruction);
/// The statement of Op::await_groups or Op::finish_group.
std::string groups_counted(const Kernel& kernel, const Instruction& instruction,
                           const std::string& groups);

}  // namespace imago::ir
