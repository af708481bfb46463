// This file joins passes of the vector mapping in pairs. A pass reads all of a transform from one
// scratch array and writes all of it to another; where both do not fit a first-level cache, two
// passes are done block by block, and only a block of radix * radix vectors lies between them:
// lanes along the same q in both of the first pair, along the same k in both of the second, whose
// block is transposed as it is read. docs/performance.md has what that gains, and where it does
// not.
#pragma once

#include <cstdint>
#include <vector>

#include <imago/transform.hpp>

#include "kernel/step.hpp"

namespace imago::plan {

/// Four radices of a line whose passes can be joined; empty where it is short enough for its
/// scratch or has no such radices.
std::vector<unsigned> radices_to_join(std::uint64_t length, unsigned lanes, Precision precision);

/// Joins the passes of a step along points, where they are four and it pays.
void join_passes(kernel::Step& step);

}  // namespace imago::plan
