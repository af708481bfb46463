// This file makes the input data, and computes how often it can be transformed in place.
//
// An unnormalised transform multiplies the size of the values by sqrt(N), so that repeated in-place
// calls soon overflow. Infinities do not change the speed of current CPUs and GPUs (the README
// describes how this was checked). But constant bits need less power, and the clock rate may rise.
// The signal of an in-place case therefore starts with small values, far above the subnormals. Each
// sample loads it anew, and has no more calls than keep it finite.
#pragma once

#include <cstddef>

#include "bench/engine.hpp"

namespace imago::bench {

/// Returns values that are uniform in [-1, 1] times a power of two; equal for equal cases on any
/// machine.
Signal make_signal(const Case& problem);
/// Returns the number of calls that keep the values of make_signal() finite.
std::size_t finite_calls(const Case& problem);

}  // namespace imago::bench
