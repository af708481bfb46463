// This file makes the data that is transformed, and knows how often it can be transformed in place.
//
// An unnormalised transform multiplies the values' size by sqrt(N). Repeated in place they soon
// overflow, and although infinities do not change the speed of today's CPUs and GPUs (the README
// says how that was checked), constant bits draw less power, and a clock may rise. So the signal of
// an in-place case starts small, far above the subnormals, is fresh for each sample, and a sample
// has no more calls than keep it finite.
#pragma once

#include <cstddef>

#include "bench/engine.hpp"

namespace imago::bench {

/// Uniform in [-1, 1] times a power of two; the same for the same case, whatever the machine.
Signal make_signal(const Case& problem);
/// Calls that keep the values finite after make_signal.
std::size_t finite_calls(const Case& problem);

}  // namespace imago::bench
