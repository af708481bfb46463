// This file chooses the padding of local memory by counting bank conflicts.
#pragma once

#include "plan/program.hpp"

namespace imago::plan {

/// Fills padding and column_pad of a work-group step with the pair that needs the fewest
/// local-memory cycles, as long as the step stays within `local_bytes`.
void choose_padding(Step& step, unsigned simd, std::size_t local_bytes);

/// Local-memory cycles of the exchanges of a step, counted over its first items that run in step.
std::uint64_t exchange_cycles(const Step& step, unsigned simd);
/// Accesses of a work-item that these are of: of two legs for each leg, of elements one.
std::uint64_t exchange_accesses(const Step& step);

}  // namespace imago::plan
