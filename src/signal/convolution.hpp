// This file turns a ConvolutionShape into the transforms that compute it: one that prepares the
// kernels' spectra, and a filter. For several channels, a transform computes the signals' spectra
// instead of the filter, and an inverse transform starts from their weighted sums.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <imago/convolution_shape.hpp>

#include "problem/computation.hpp"

namespace imago::signal {

/// Name of the filter's argument that holds the kernels' spectra.
inline constexpr const char* kSpectrumArgument = "convolution_spectrum";

/// The lines that a filter computes for one axis.
enum class ConvolutionWay {
  whole,       ///< one line, which holds signal and result
  blocks,      ///< blocks that overlap (ConvolutionShape::blocks)
  right_angle  ///< a complex line, whose parts are the halves of the real one
};

struct ConvolutionParts {
  Transform prepare;                            ///< computes the spectra of the kernels
  std::optional<problem::Computation> spectra;  ///< computes the spectra of several channels
  problem::Computation run;         ///< the filter; for several channels, the inverse transform
  std::vector<std::size_t> points;  ///< number of points along each axis
};

/// Throws InvalidArgument for a shape that is not allowed.
void check_convolution(const ConvolutionShape& shape);
/// Returns the lengths of one result.
std::vector<std::size_t> result_lengths(const ConvolutionShape& shape);
/// Returns the smallest number of points that an axis needs; for circular ones, the only number.
std::size_t least_points(const ConvolutionShape& shape, std::size_t axis);
/// True if the shape may be convolved block by block.
bool takes_blocks(const ConvolutionShape& shape);
/// Returns the least number of points, those of half a line, for a convolution at a right angle; 0:
/// the shape does not allow it.
std::size_t least_at_right_angle(const ConvolutionShape& shape);
/// Returns the axes that are convolved.
std::vector<std::size_t> convolved_axes(const ConvolutionShape& shape);

/// Returns the transforms for `points` points along each axis: those of a block, or of half a line.
ConvolutionParts convolution_parts(const ConvolutionShape& shape,
                                   const std::vector<std::size_t>& points, ConvolutionWay way);

}  // namespace imago::signal
