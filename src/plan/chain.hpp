// This file lays out a Program: kernels that together are one large Stockham transform.
#pragma once

#include "device/facts.hpp"
#include "plan/program.hpp"
#include "plan/request.hpp"

namespace imago::plan {

/// The program that computes `request` with complete parameters.
Program make_program(const Request& request, const device::Facts& facts,
                     const Parameters& parameters);

}  // namespace imago::plan
