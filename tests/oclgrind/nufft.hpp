// This file runs the kernels of nonuniform transforms under oclgrind.
#pragma once

#include "support/device.hpp"

namespace imago::test {

/// Sets points and computes transforms of types 1, 2 and 3, which must be near the sums: with the
/// kernels for CPUs and those for GPUs, in one to three dimensions. Prints a line for each and
/// returns the number of failures.
int run_nufft(const Device& device);

}  // namespace imago::test
