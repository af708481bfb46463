// This file runs a kernel on the host, as a reference that needs no device. The work-items of a
// group run in lockstep. Work-groups run one after the other, or several alternately if they wait
// for each other. A kernel that breaks a rule of OpenCL causes an exception.
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
///   (no race: a read before a barrier and a store after it, in one work-group; or a use that
///   happens before the end of a group which the other group has awaited),
/// - barrier or operation on counters that not all work-items of a group reach together,
/// - deadlock: all resident groups await more groups than have finished,
/// - counters that are not 0 at the beginning or the end, or reset before all groups have
///   finished; a group that takes a second ticket, or uses global memory when it has finished,
/// - integer division by zero, or conversion of a float that does not fit an integer.
void run(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments,
         const Schedule& schedule = {});

}  // namespace imago::interpreter
