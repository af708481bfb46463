// This file gives the kernels of a chain their places: which digits of the transform are done when
// a kernel begins, and where the data lies before and after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/edges/convolved.hpp"
#include "plan/planner.hpp"

namespace imago::plan {

/// Where all points of the lines lie before or after a kernel.
struct Stage {
  kernel::Memory memory = kernel::Memory::input;
  std::uint64_t offset = 0;
  std::uint64_t distance = 1, stride = 1;        ///< between batch members, between points
  std::vector<std::uint64_t> loop_strides = {};  ///< one per loop of the request
  bool planar = false;
  Precision stored = Precision::f32;
};

/// One kernel's place in the chain.
struct Link {
  std::size_t kernel;  ///< of the parameters
  std::uint64_t done, left;
  bool last;
  const Stage &in, &out;
  kernel::Convolution convolution;
  kernel::Convolved convolved;  ///< the edge of the whole convolution

  bool first() const { return kernel == 0 && done == 1; }
};

/// Points of all kernels together: the transform's, or those of the convolution behind it.
std::uint64_t chain_length(const Parameters& parameters);

/// Stages before and after each of so many kernels. All but the last kernel work out of place,
/// between scratch and the output, or where that has no room for the `length` points between
/// kernels (reals, half spectra, half precision, a convolution's), a second part of scratch.
std::vector<Stage> stages_of(const lines::Request& request, std::size_t kernels,
                             std::uint64_t length);

/// The kernels in launch order; they borrow the stages.
std::vector<Link> links_of(const lines::Request& request, const Parameters& parameters,
                           const std::vector<Stage>& stages);

}  // namespace imago::plan
