// This file describes the uniform transforms between grids and modes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/nufft_transform.hpp>

#include "nufft/design.hpp"

namespace imago::nufft {

/// Returns the name of the argument that the plan supplies: the factors of an axis.
std::string factors_name(std::size_t axis);
/// Returns the factors of a grid's indices along an axis: 0 where no mode is.
std::vector<double> mode_factors(const NufftTransform& transform, const Design& design,
                                 std::size_t axis);
/// Returns the transforms of some grids: forward() reads modes and writes grids, inverse() reads
/// grids and writes modes.
Transform grid_transform(const NufftTransform& transform, const Design& design, std::size_t batch);
/// Returns the copy between modes in the order of a Fourier transform and centred ones: forward()
/// to centred ones, inverse() back.
Transform reordering(const NufftTransform& transform, std::size_t batch);

}  // namespace imago::nufft
