// This file turns a ZoomTransform into the filters that compute it, and computes their factors
// (Bluestein 1968; Rabiner et al. 1969). With j k = (j^2 + k^2 - (k - j)^2) / 2 the sum
// over j is a convolution with a chirp, between two products with chirps.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include <imago/zoom_transform.hpp>

#include "problem/computation.hpp"

namespace imago::signal {

/// Names of the arguments of a zoom's filters: factors of the signal, of the filter's spectrum, and
/// of the frequencies.
inline constexpr std::array<const char*, 3> kZoomArguments{"zoom_signal", "zoom_filter",
                                                           "zoom_frequencies"};

/// The filters of a zoom, and the length of their rows.
struct ZoomParts {
  problem::Computation forward, adjoint;
  std::size_t padded = 0;

  /// Returns the filter of forward(), or of adjoint() if that is the only direction.
  const problem::Computation& first(const ZoomTransform& zoom) const {
    return zoom.directions == Directions::inverse ? adjoint : forward;
  }
};

/// Throws InvalidArgument for a zoom that is not allowed.
void check_zoom(const ZoomTransform& zoom);
/// Throws InvalidArgument for a spiral of which rounding errors may leave no right digit, or whose
/// factors leave the range of the numbers. `pairs`: f64 is computed by pairs of f32. The error of a
/// result is relative to the sum of the magnitudes of its terms.
void check_accuracy(const ZoomTransform& zoom, bool pairs);
/// Returns the least length of the filter's rows.
std::size_t least_points(const ZoomTransform& zoom);
/// Returns the filters with rows of `padded` points, at least least_points(). Both need the three
/// arguments.
ZoomParts zoom_parts(const ZoomTransform& zoom, std::size_t padded);
/// Returns the factors in the order of kZoomArguments, `padded` of each.
std::array<std::vector<std::complex<double>>, 3> zoom_factors(const ZoomTransform& zoom,
                                                              std::size_t padded);

}  // namespace imago::signal
