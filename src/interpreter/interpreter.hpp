// This file runs a kernel on the host, as a reference without a device: the work-items of a group
// in lockstep, every work-group in turn, or several at a time where they wait for each other. A
// kernel that breaks a rule of OpenCL is reported, not run.
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/launch.hpp"
#include "ir/kernel.hpp"

namespace imago::interpreter {

/// Runs `groups` work-groups with one binding for each of Kernel::arguments. Throws
/// std::logic_error, with the kernel, the memory, the index and the work-item, at the first
/// - index outside its memory, or store to a read-only one,
/// - read of local or private memory that this work-group or work-item has not written,
/// - data race: an element of local memory that two work-items use between two barriers, and one
///   stores; an element of global memory that one work-item stores and another one stores or reads
///   (reading it before a barrier and storing it behind, in one work-group, is no race; nor is what
///   happens before the end of a group that is among the first to finish, as many as were awaited),
/// - barrier or operation on counters that not all work-items of a group reach together,
/// - deadlock: all resident groups await more than have finished,
/// - counters that are not 0 at the beginning or the end, or set back before all groups have
///   finished; a group that takes a second ticket, or uses global memory when it has finished,
/// - integer division by zero, or conversion of a float that does not fit an integer.
void run(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments,
         const Schedule& schedule = {});

}  // namespace imago::interpreter
