// This file lays out a direction of a transform as launches of one generic kernel
// (kernel/generic.hpp).
#pragma once

#include <optional>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "problem/problem.hpp"

namespace imago::generic {

/// Returns the program of a direction; empty if generic kernels cannot compute it. They need hooks
/// without the user's OpenCL C, lines of at most the square of a tile's points, and arrays of less
/// than 2^31 real numbers.
std::optional<kernel::Program> make_program(const problem::Problem& problem, bool inverse,
                                            const device::Facts& facts);

/// Returns the steps of the generic kernels for a precision: the one that transforms lines, and the
/// one of hooks.
kernel::Step step_of(Precision precision, const device::Facts& facts);
kernel::Step hook_step_of(Precision precision, const device::Facts& facts);

}  // namespace imago::generic
