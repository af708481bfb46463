// This file lays out a Program: kernels that together are one large Stockham transform.
#pragma once

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// Returns the program that computes `request` with complete parameters.
kernel::Program make_program(const lines::Request& request, const device::Facts& facts,
                             const Parameters& parameters);

}  // namespace imago::plan
