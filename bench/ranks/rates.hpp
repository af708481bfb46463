// This file measures what the model of ranks needs of a machine (scaling/ranks.hpp).
#pragma once

#include <CL/opencl.hpp>

#include "scaling/ranks.hpp"

namespace imago::bench::ranks {

/// Collective, a second or two: all ranks at once copy their devices' memory (of CPUs the host's),
/// copy pinned memory to the device, and there and back at once (no link, where devices work in
/// host memory), and send to a neighbour. Of the slowest rank.
scaling::RankRates measured_rates(const cl::Device& device);

}  // namespace imago::bench::ranks
