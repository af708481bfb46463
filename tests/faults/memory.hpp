// This file is the interface to the program's own operator new and pthread_create(), which can fail
// imago's allocations and threads.
#pragma once

#include <cstdint>

#include "faults.hpp"

namespace imago::faults {

/// Resets the count of allocations. The `at`-th live allocation throws std::bad_alloc, and with
/// Extent::all those after it. 0: none fails. It counts allocations of the calling thread and of
/// threads that imago creates in it. Drivers always get memory, because their compilers do not
/// survive a failure.
void arm_memory(std::uint64_t at, Extent extent);
/// Ends the faults. Returns the number of allocations since arm_memory() that could have failed.
std::uint64_t disarm_memory();

/// Like arm_memory() for threads that imago starts: none begins, as beyond a limit of processes.
void arm_threads(std::uint64_t at, Extent extent);
std::uint64_t disarm_threads();

}  // namespace imago::faults
