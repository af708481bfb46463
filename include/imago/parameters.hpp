// This file names the tuned parameters of a transform: every choice that the planner makes for a
// device, as plain data. A profile stores them, a user may set them by hand, and each has a
// default.
#pragma once

#include <cstddef>
#include <vector>

namespace imago {

/// How a kernel's lanes are mapped to the device.
enum class Mapping {
  automatic,
  work_group,  ///< a lane is a work-item; lanes exchange data through local memory (GPUs)
  vector       ///< a lane is a component of an OpenCL vector inside one work-item (CPUs)
};
/// How a length becomes kernels.
enum class Algorithm {
  automatic,
  single,     ///< one kernel: each element is read once and written once
  hierarchy,  ///< two or three kernels, each a whole transform of a factor (Govindaraju et al.,
              ///< fig. 5)
  global,     ///< one kernel per radix, through global memory (Govindaraju et al., IV.A)
  rader,      ///< a prime length p as a convolution of p - 1 points or more
  bluestein  ///< any length n as a convolution of 2 n - 2 points or more (Govindaraju et al., IV.E)
};
/// Where a pass's twiddle factors come from.
enum class Twiddles {
  automatic,
  table,       ///< every factor from an exact table
  product,     ///< w^1, w^2, w^4, w^8.. from an exact table, the others as products
  polynomial,  ///< from the exact integer phase with a polynomial, no memory traffic
  native       ///< native_sin and native_cos: fast and inexact, only on request
};
/// How work-items exchange values through local memory.
enum class Exchange {
  automatic,
  interleaved,  ///< real and imaginary part at once: fewer barriers
  split         ///< one after the other: half the local memory, twice the barriers
};
/// What the lanes of the vector mapping run along.
enum class LaneAxis {
  automatic,
  columns,  ///< transforms (or columns of a larger transform) side by side
  points    ///< neighbouring points of one transform
};

/// Parameters of one kernel. Zero or automatic: the default for the device.
struct KernelParameters {
  std::size_t length = 0;  ///< of the transform inside this kernel
  /// First pass first; the product is `length`. Along several axes those of the slowest one, then
  /// from the fastest on; where all are of DCT-II or DST-II the slowest comes last instead.
  std::vector<unsigned> radices = {};
  unsigned items = 0;    ///< work_group: work-items per transform
  unsigned columns = 0;  ///< transforms per work-group (work_group) or per work-item (vector)
  unsigned lanes = 0;    ///< vector: components per vector
  LaneAxis axis = LaneAxis::automatic;      ///< vector: what they run along
  Exchange exchange = Exchange::automatic;  ///< work_group
  Twiddles twiddles = Twiddles::automatic;  ///< between the passes of this kernel
  /// Source of the four-step twiddles (Govindaraju et al., fig. 5), by which all kernels of a
  /// hierarchy but the first multiply what they load: product (of polynomials), polynomial or
  /// native.
  Twiddles four_step = Twiddles::automatic;
  friend bool operator==(const KernelParameters&, const KernelParameters&) = default;
};

/// Parameters of one transform length. Default-constructed: everything chosen for the device.
struct Parameters {
  Mapping mapping = Mapping::automatic;
  Algorithm algorithm = Algorithm::automatic;
  std::vector<KernelParameters> kernels = {};  ///< in launch order; the product of the lengths is
                                               ///< n, or what rader and bluestein convolve; all but
                                               ///< the last of those are then used on the way back
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace imago
