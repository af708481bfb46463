// This file renders the synchronisation between the work-groups of a kernel: two counters, as
// atomics of OpenCL C 2.0, which are optional features of 3.0.
#pragma once

#include <string>

#include "ir/kernel.hpp"

namespace imago::ir {

/// Returns the functions that the kernel's operations on counters call.
std::string counter_functions(const Kernel& kernel);
/// Returns all of these functions, for hand-written kernels with groups of several work-items.
std::string counter_functions();
/// Returns the declaration of the variable through which one work-item gives the others their
/// ticket; empty for groups of one work-item.
std::string ticket_declaration(const Kernel& kernel);
/// Returns the value of Op::take_ticket.
std::string ticket_taken(const Kernel& kernel, const Instruction& instruction);
/// Returns the statement of Op::await_groups or Op::finish_group.
std::string groups_counted(const Kernel& kernel, const Instruction& instruction,
                           const std::string& groups);

}  // namespace imago::ir
