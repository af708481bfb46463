// This file defines the arithmetic of reproducible plans (lines/canon.hpp) for a line.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// Returns the canon's parameters of a line: algorithm, lengths, radices and twiddle factors. The
/// mapping, and the work-items of kernels whose default would be too many, are the device's. All
/// others are automatic. The numbers are integers, so all hosts make the same choice.
Parameters canon_of(const lines::Request& request, Mapping mapping, const device::Facts& facts);

/// Returns the canon's parameters of all lines of a direction with the caller's choices, which may
/// not change the arithmetic: work-items, columns, lanes and exchanges, in the order of the forward
/// direction. Throws InvalidArgument for other choices.
std::vector<Parameters> canon_with(std::vector<Parameters> canons, const Parameters& wish,
                                   bool inverse);

}  // namespace imago::plan
