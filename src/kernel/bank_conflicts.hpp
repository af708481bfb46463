// This file counts the bank conflicts of local memory.
#pragma once

#include <cstdint>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Cycles in which the first work-items that execute in lockstep access local memory, in all
/// exchanges of a step.
struct Cycles {
  std::uint64_t counted = 0;
  bool conflicts = false;  ///< true if an access takes longer than without conflicts
};
Cycles exchange_cycles(const Step& step, unsigned simd);
/// Returns the accesses per work-item that exchange_cycles() counts: two for each input or output
/// of a butterfly, and one for each element.
std::uint64_t exchange_accesses(const Step& step);

}  // namespace imago::kernel
