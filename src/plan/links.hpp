// This file places the kernels of a line in their sequence: the digits of the transform that are
// finished before each kernel, and the layout of the data before and after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <imago/parameters.hpp>

#include "kernel/edges/convolved.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// The layout of all points of the lines before or after a kernel.
struct LinkSide {
  kernel::Memory memory = kernel::Memory::input;
  std::uint64_t offset = 0;
  std::uint64_t distance = 1, stride = 1;        ///< between batch elements, between points
  std::vector<std::uint64_t> loop_strides = {};  ///< one for each loop of the request
  bool planar = false;
  Precision stored = Precision::f32;
};

/// The place of one kernel in the sequence.
struct Link {
  std::size_t kernel;  ///< index into the parameters' kernels
  std::uint64_t done, left;
  bool last;
  const LinkSide &in, &out;
  kernel::FusedConvolution convolution;
  kernel::Convolved convolved;  ///< edge of the whole convolution
  bool back = false;            ///< true for a kernel of the inverse alone

  bool first() const { return kernel == 0 && done == 1; }
};

/// Returns the points of all kernels together: those of the transform, or of the convolution that
/// computes it.
std::uint64_t points_of_kernels(const Parameters& parameters);

/// Returns the sides before and after each of `kernels` kernels. All kernels but the last work out
/// of place, between scratch and the output. The output may be too small for the `length` points
/// between kernels (real numbers, half spectra, half precision, convolutions); a second part of
/// scratch then replaces it.
std::vector<LinkSide> sides_of(const lines::Request& request, std::size_t kernels,
                               std::uint64_t length);

/// Returns the kernels in launch order, with references to the sides.
std::vector<Link> links_of(const lines::Request& request, const Parameters& parameters,
                           const std::vector<LinkSide>& sides);

}  // namespace imago::plan
