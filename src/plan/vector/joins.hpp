// This file fuses pairs of passes in the vector mapping. A pass reads a whole transform from one
// private array and writes it to another. If both arrays do not fit into a first-level cache, two
// passes run block by block, with only a block of radix * radix vectors between them. Lanes run
// along q in both passes of the first pair, and along k in both passes of the second, whose block
// is transposed as it is read. docs/measured/cpu.md lists the gains, and the cases without a gain.
#pragma once

#include <cstdint>
#include <vector>

#include <imago/transform.hpp>

#include "kernel/step.hpp"

namespace imago::plan {

/// Returns four radices of a line whose passes can be fused; empty if the line is short enough for
/// its private arrays or has no such radices.
std::vector<unsigned> radices_to_join(std::uint64_t length, unsigned lanes, Precision precision);

/// Fuses the passes of a step along points, if there are four of them and fusing is faster.
void join_passes(kernel::Step& step);

}  // namespace imago::plan
