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

/// How the kernels of a plan that has several are launched.
enum class Launches {
  automatic,
  several,  ///< one after the other
  one       ///< as one kernel, whose work-groups wait for those of the kernels before
};

/// Parameters of one kernel. Zero, empty or automatic: the default for the device. Those of the
/// other mapping are ignored; what is out of range throws InvalidArgument when the plan is made,
/// with the field, its value and what is allowed.
struct KernelParameters {
  /// Points of the transform inside this kernel. The product over the kernels is that of the line
  /// (see Parameters); 0 is for an only kernel.
  std::size_t length = 0;
  /// The first pass first. Each is from 2 to 21 or one of 23, 24, 25, 27 to 32, 49 (length 1: the
  /// one radix 1), and their product is `length`. Along several axes those of the slowest one come
  /// first, then from the fastest on; where all are of DCT-II or DST-II the slowest comes last
  /// instead.
  std::vector<unsigned> radices = {};
  /// work_group: work-items per transform. Exactly 1 where there is one pass; items * columns is at
  /// most the device's work-group size, and no work-item holds more than 64 points:
  /// ceil(length / radix / items) * radix <= 64 for each radix.
  unsigned items = 0;
  /// work_group: transforms per work-group, from 1; an even number where one of several kernels
  /// takes columns in pairs (beside half spectra, DCT and DST II and III). Where there is more than
  /// one pass, or elements are reordered or meet in local memory, length * columns values fit
  /// there: of 4 bytes (f64: 8), with Exchange::interleaved twice as many. vector: transforms per
  /// work-item, from 1 to 4096.
  unsigned columns = 0;
  /// vector: components per vector, 1, 2, 4, 8 or 16. A work-item has at most 2^17 points in
  /// private memory: length * lanes along columns, length along points.
  unsigned lanes = 0;
  /// vector: what the lanes run along. Only columns in one of several kernels; only points where
  /// several axes are transformed together and for real data whose rows lie apart.
  LaneAxis axis = LaneAxis::automatic;
  Exchange exchange = Exchange::automatic;  ///< work_group: any
  Twiddles twiddles = Twiddles::automatic;  ///< between the passes of this kernel: any
  /// Source of the four-step twiddles (Govindaraju et al., fig. 5), by which all kernels of a
  /// hierarchy but the first multiply what they load: product (of polynomials), polynomial or
  /// native, not table.
  Twiddles four_step = Twiddles::automatic;
  friend bool operator==(const KernelParameters&, const KernelParameters&) = default;
};

/// Parameters of a transform. Default-constructed: everything chosen for the device.
struct Parameters {
  Mapping mapping = Mapping::automatic;  ///< any on any device
  /// single and hierarchy take lengths without a prime factor above 31 (other ones are convolved),
  /// rader primes above 2, bluestein lengths from 2. A transform of several axes that no one kernel
  /// takes is several lines, one after the other; kernels given by hand then say the algorithm of
  /// each line: that of a length with larger prime factors is rader where they begin with p - 1
  /// points, else bluestein.
  Algorithm algorithm = Algorithm::automatic;
  /// In launch order. The product of their lengths is n, the points of the line (of real data and
  /// cosine transforms those of its complex DFT: an even number n of reals is n/2 points); with
  /// rader the one kernel has p - 1 points or at least 2 p - 3; with bluestein the product is at
  /// least 2 n - 2, and all but the last are then used on the way back. Several axes that are
  /// transformed together take one kernel; several lines take their kernels one line after the
  /// other, in the forward direction's order for both. Empty: as many as suit the device.
  std::vector<KernelParameters> kernels = {};
  /// One launch takes the time of one, which is what small work mostly is. It asks for two to six
  /// kernels, all with work-groups of one size (items * columns), and a device whose work-groups
  /// can wait for each other (OpenCL 2.0 or 3.0: it is tried once).
  Launches launches = Launches::automatic;
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace imago
