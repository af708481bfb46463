// This file turns a ConvolutionShape into the transforms that compute it: one that prepares the
// kernels' spectra, and a filter; or, of several channels, one that makes the signals' spectra and
// one that goes back from their weighted sums.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/convolution_shape.hpp>

#include "problem/computation.hpp"

namespace imago::problem {

/// The argument of the filter that the spectra are.
inline constexpr const char* kSpectrumArgument = "convolution_spectrum";

struct ConvolutionParts {
  Transform prepare;                   ///< of the kernels
  std::optional<Computation> spectra;  ///< of the signals' channels, if there are several
  Computation run;                     ///< the filter of the signals; or of the spectra, back
  std::vector<std::size_t> points;     ///< along each axis
};

/// Throws InvalidArgument for a shape that cannot be.
void check_convolution(const ConvolutionShape& shape);
/// Lengths of one result.
std::vector<std::size_t> result_lengths(const ConvolutionShape& shape);
/// The least number of points that an axis takes; of circular ones, the number.
std::size_t least_points(const ConvolutionShape& shape, std::size_t axis);
/// Whether the shape may be convolved block by block.
bool takes_blocks(const ConvolutionShape& shape);
/// The axes that are convolved.
std::vector<std::size_t> convolved_axes(const ConvolutionShape& shape);

/// With so many points along each axis; those of a block where `in_blocks`.
ConvolutionParts convolution_parts(const ConvolutionShape& shape,
                                   const std::vector<std::size_t>& points, bool in_blocks);

}  // namespace imago::problem
