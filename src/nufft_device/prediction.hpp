// This file predicts the time of the steps between points and grids, without a device.
#pragma once

#include <cstddef>

#include <imago/nufft_transform.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"

namespace imago::nufft_device {

/// Predicted seconds. They are for comparisons: the caches, which are not modelled, change the time
/// of a point by factors.
struct Seconds {
  double sort = 0;         ///< all points
  double spread = 0;       ///< all points, for one vector of strengths
  double interpolate = 0;  ///< all points, for one vector of values
};

/// Predicts without the time of launches. f64 on a GPU counts as half as fast as f32.
Seconds predict(const NufftTransform& transform, const nufft::Design& design,
                const device::Facts& facts, std::size_t points);

}  // namespace imago::nufft_device
