// This file is the interface to the program's own operator new, which refuses memory to imago.
#pragma once

#include <cstdint>

#include "faults.hpp"

namespace imago::faults {

/// Starts to count allocations anew; the `at`-th of what is live throws std::bad_alloc, and with
/// Extent::all those after it. 0: none does. Counts those of the calling thread and of the threads
/// that imago makes in it. Drivers get all the memory they want: compilers in them do not survive
/// without.
void arm_memory(std::uint64_t at, Extent extent);
/// No more faults. Returns the number of allocations that could have failed since arm_memory().
std::uint64_t disarm_memory();

}  // namespace imago::faults
