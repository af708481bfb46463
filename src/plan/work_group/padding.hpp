// This file chooses the padding of local memory by counting bank conflicts.
#pragma once

#include <cstddef>

#include "kernel/step.hpp"

namespace imago::plan {

/// Sets padding and column_pad of a work-group step to the pair with the fewest local-memory
/// cycles, as long as the step stays within `local_bytes`.
void choose_padding(kernel::Step& step, unsigned simd, std::size_t local_bytes);

}  // namespace imago::plan
