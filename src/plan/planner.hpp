// This file is the planner: complete() chooses what the parameters of a request leave open, and
// make_program() (chain.hpp) lays out kernels, tables and scratch. It knows the device only as
// Facts and needs no OpenCL.
#pragma once

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// The parameters that make_program uses: what `wish` leaves open is filled with the defaults for
/// the device. A pure function. Throws InvalidArgument for a wish that is not legal (a radix that
/// does not divide, too much local memory).
Parameters complete(const lines::Request& request, const device::Facts& facts,
                    const Parameters& wish);

}  // namespace imago::plan
