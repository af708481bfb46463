// This file launches a kernel of the phase method once on a signal of zeros: PoCL compiles a kernel
// for its work-group only then, which a caller would wait for in the first call.
#pragma once

#include <cstddef>

#include "runtime/opencl.hpp"
#include "sparse/phase_parameters.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// One work-group, on memory of its own. What goes wrong is logged: the kernel is built anyway.
void rehearse(const Setup& setup, const sparse::PhaseParameters& parameters, const char* name,
              std::size_t group, cl_kernel kernel);

}  // namespace imago::sparse_device
