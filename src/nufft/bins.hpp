// This file divides the grid of a nonuniform transform into bins, whose tiles fit local memory.
#pragma once

#include <optional>

#include <imago/nufft_transform.hpp>
#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"

namespace imago::nufft {

/// Decides the bins and the work-groups of a design with a grid. Returns true if local memory holds
/// a plane of a tile with compensated sums.
bool divide_into_bins(Design& design, const NufftTransform& transform, const device::Facts& facts,
                      Mapping mapping);

/// Returns the design with the work-groups of generic kernels, on the same grid with the same bins;
/// empty if local memory does not hold their tiles.
std::optional<Design> generic(Design design, const NufftTransform& transform,
                              const device::Facts& facts);

/// Returns the design with compensated sums, on the same grid with the same bins.
Design compensated(Design design, const NufftTransform& transform, const device::Facts& facts);

}  // namespace imago::nufft
