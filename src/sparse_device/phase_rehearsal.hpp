// This file launches a kernel of the phase method once, on a signal of zeros. PoCL compiles a
// kernel for a work-group size only at its first launch, which would delay the caller's first call.
#pragma once

#include <cstddef>

#include "runtime/opencl.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// Launches one work-group, on temporary memory. Logs errors, because the kernel is built anyway.
void rehearse(const Setup& setup, const sparse::PhaseParameters& parameters,
              const kernel::Handmade& made, cl_kernel kernel);

}  // namespace imago::sparse_device
