// This file is the planner: complete() chooses the parameters that a wish leaves open, and
// make_program() (make_program.hpp) lays out kernels, tables and scratch. The planner knows the
// device only as Facts and needs no OpenCL.
#pragma once

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// Returns the parameters for make_program(): `wish`, completed with the defaults for the device. A
/// pure function. Throws InvalidArgument for a wish that is not legal (a radix that does not divide
/// the length, too much local memory).
Parameters complete(const lines::Request& request, const device::Facts& facts,
                    const Parameters& wish);

}  // namespace imago::plan
