// This file chooses the padding of local memory.
#include "plan/work_group/padding.hpp"

#include "kernel/bank_conflicts.hpp"

namespace imago::plan {

void choose_padding(kernel::Step& step, unsigned simd, std::size_t local_bytes) {
  step.group().padding = step.group().column_pad = 0;
  if (step.local_bytes() == 0 || step.group().staged) return;
  kernel::Step best = step;
  const kernel::Cycles without = exchange_cycles(step, simd);
  if (!without.conflicts) return;
  std::uint64_t least = without.counted;
  for (const unsigned padding : {0u, 32u, 16u, 8u}) {
    for (const unsigned column_pad : {0u, 1u, 2u, 4u, 8u, 16u}) {
      if (column_pad != 0 && step.tile == 1) continue;
      if (padding >= step.length) continue;
      step.group().padding = padding, step.group().column_pad = column_pad;
      if (step.local_bytes() > local_bytes) continue;
      const kernel::Cycles cycles = exchange_cycles(step, simd);
      if (!cycles.conflicts) return;
      if (cycles.counted < least) least = cycles.counted, best = step;
    }
  }
  step = best;
}

}  // namespace imago::plan
