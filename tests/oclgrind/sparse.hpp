// This file runs the kernels of the sparse transform under oclgrind.
#pragma once

#include "support/device.hpp"

namespace imago::test {

/// Runs one attempt of each method in each form of its kernels, which must find the signal's tones.
/// Prints a line for each and returns the number of failures.
int run_sparse(const Device& device);
/// Runs the phase method's attempts as one launch. Its work-groups synchronize with each other,
/// which oclgrind reports as races.
int run_whole_attempts(const Device& device);

}  // namespace imago::test
