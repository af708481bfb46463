// This file lists the candidates that the choice by predicted time compares.
#pragma once

#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"

namespace imago::plan {

/// Returns complete, legal parameters, few enough to compare in each planning. The defaults come
/// first. Variations have half and twice the work-items, columns or lanes, the other exchange or
/// lane axis, fewer tiles per work-item and twice as many, or neighbouring splits of the length. A
/// convolution also has variations with the other algorithm and with other lengths. If the work
/// does not load a GPU fully, kernels with few points per work-item are added; if it does, short
/// lines with radices that keep all work-items busy.
std::vector<Parameters> shortlist(const lines::Request& request, const device::Facts& facts);
/// Returns the shortlist for all lines together: the defaults, then each line's variations with the
/// defaults of the others.
std::vector<Parameters> shortlist(const Cut& cut, const device::Facts& facts);
/// Returns complete parameters, and their variations with the same radices and work-items: other
/// columns and exchanges.
std::vector<Parameters> shortlist_around(const lines::Request& request, const device::Facts& facts,
                                         const Parameters& middle);
/// Returns the shortlist with the arithmetic of `alike`: its mapping, algorithm, lengths, radices
/// and twiddles. Throws InvalidArgument if the request allows no such parameters.
std::vector<Parameters> shortlist_alike(const lines::Request& request, const device::Facts& facts,
                                        const Parameters& alike);

}  // namespace imago::plan
