// This file measures a machine's rates for the cost model of ranks (scaling/ranks.hpp).
#pragma once

#include <CL/opencl.hpp>

#include "scaling/ranks.hpp"

namespace imago::bench::ranks {

/// Collective; takes a second or two. All ranks concurrently copy their devices' memory (for CPUs
/// the host's), copy pinned memory to the device, then both ways, and send to an adjacent rank. If
/// devices work in host memory, there is no link to measure. Returns the rates of the slowest rank.
scaling::RankRates measured_rates(const cl::Device& device);

}  // namespace imago::bench::ranks
