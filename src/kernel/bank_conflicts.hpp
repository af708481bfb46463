// This file counts the bank conflicts of local memory.
#pragma once

#include <cstdint>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Local-memory cycles of the exchanges of a step, counted over its first items that run in step.
struct Cycles {
  std::uint64_t counted = 0;
  bool conflicts = false;  ///< an access takes longer than it would without
};
Cycles exchange_cycles(const Step& step, unsigned simd);
/// Accesses of a work-item that these are of: of two legs for each leg, of elements one.
std::uint64_t exchange_accesses(const Step& step);

}  // namespace imago::kernel
