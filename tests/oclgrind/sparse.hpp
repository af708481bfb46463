// This file runs the kernels of the sparse transform under oclgrind.
#pragma once

#include "support/device.hpp"

namespace imago::test {

/// One attempt of each method in each form that its kernels have, which must find the signal's
/// tones; prints a line for each. Returns how many failed.
int run_sparse(const Device& device);
/// The phase method's attempts as one launch. Work-groups wait for each other there, which oclgrind
/// takes for races.
int run_whole_attempts(const Device& device);

}  // namespace imago::test
