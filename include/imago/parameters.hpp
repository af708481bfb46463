// This file defines the tuned parameters of a transform: every choice that the planner makes for a
// device, as plain data. Profiles store them, and you may set them by hand. Each has a default.
#pragma once

#include <cstddef>
#include <vector>

#include <imago/standard_library.hpp>

namespace imago {

/// Mapping of a kernel's lanes to the device.
enum class Mapping {
  automatic,   ///< imago chooses for the device
  work_group,  ///< a lane is a work-item; lanes exchange data through local memory (GPUs)
  vector       ///< a lane is a component of an OpenCL vector inside one work-item (CPUs)
};
/// Algorithm for a length: the number of kernels and the work of each.
enum class Algorithm {
  automatic,  ///< imago chooses for the length and the device
  single,     ///< one kernel that reads and writes each element once
  hierarchy,  ///< four-step: two or three kernels, each a whole transform of a factor (Govindaraju
              ///< et al., SC 2008, fig. 5)
  global,     ///< one kernel per radix, through global memory (Govindaraju et al., IV.A)
  rader,      ///< a prime length p as a convolution of p - 1 points or more (Rader, 1968)
  bluestein  ///< any length n as a convolution of 2 n - 2 points or more (Govindaraju et al., IV.E)
};
/// Source of the twiddle factors of a pass.
enum class Twiddles {
  automatic,   ///< imago chooses for the device
  table,       ///< exact table of every factor
  product,     ///< exact table of w^1, w^2, w^4, w^8 and so on; the others as products
  polynomial,  ///< polynomial of the exact integer phase, without memory traffic
  native       ///< native_sin and native_cos: fast and inexact, only on request
};
/// Exchange of values between work-items through local memory.
enum class Exchange {
  automatic,    ///< imago chooses for the device
  interleaved,  ///< real and imaginary parts at once: fewer barriers
  split,        ///< one part after the other: half the local memory, twice the barriers
  /// A work-item holds the points of one butterfly at a time, and writes them where it read them,
  /// so that a line may fill local memory. Only for complex points in their order along one or two
  /// axes: not for half spectra, DCT and DST, filters and convolutions.
  in_place
};
/// Direction of the lanes of the vector mapping.
enum class LaneAxis {
  automatic,  ///< imago chooses for the transform
  columns,    ///< lanes hold the same point of adjacent transforms (or columns of a larger one)
  points      ///< lanes hold adjacent points of one transform
};

/// Launching of a plan's kernels, if it has several.
enum class Launches {
  automatic,  ///< imago chooses for the device
  several,    ///< one launch for each kernel
  one,        ///< one launch of all; work-groups wait for those of the kernel before
  /// vector: one launch of several kernels where each work-group needs only its own results of the
  /// kernel before and they stay in its caches (images of a batch, planes of a volume)
  chained
};

/// Parameters of one kernel. Zero, empty or automatic: the default for the device. imago ignores
/// the parameters of the other mapping. Plan's constructor throws InvalidArgument for values out of
/// range; the message names the field, its value and the allowed values.
struct KernelParameters {
  /// Points of the transform inside this kernel. Parameters::kernels defines the product over all
  /// kernels. 0 is allowed if there is one kernel only.
  std::size_t length = 0;
  /// Radices of the passes, first pass first. Each is from 2 to 21 or one of 23, 24, 25, 27 to 32,
  /// 36, 37, 40, 41, 43, 47 (work_group only), 49, 53, 61; with work_group also 67, 71, 73, 79, 89
  /// and 97, of which the device's registers must have room for; f64 in work-groups or in pairs: no
  /// prime above 31. A kernel of one pass may have any radix to 63 but 59. Length 1 has the one
  /// radix 1. Their product is `length`. For several axes, the radices of the slowest axis come
  /// first, followed by the others from the fastest on. If all axes are DCT-II or DST-II, those of
  /// the slowest axis come last instead.
  std::vector<unsigned> radices = {};
  /// work_group: work-items per transform; exactly 1 if there is one pass. items * columns is at
  /// most the device's work-group size. No work-item holds more points than 64, or than the
  /// largest radix: ceil(length / radix / items) * radix for each radix, and radix with
  /// Exchange::in_place.
  unsigned items = 0;
  /// work_group: transforms per work-group, at least 1. It is even if one of several kernels
  /// processes columns in pairs (next to half spectra, DCT and DST II and III). With more than one
  /// pass, or if elements are reordered or combined in local memory, length * columns values must
  /// fit there: of 4 bytes with Exchange::split (f64: 8), otherwise of twice as many. vector:
  /// transforms per work-item, from 1 to 4096; fewer are used if compute units would be idle.
  unsigned columns = 0;
  /// vector: components per vector, 1, 2, 4, 8 or 16. A work-item has at most 2^17 points in
  /// private memory: length * lanes for LaneAxis::columns, length for LaneAxis::points.
  unsigned lanes = 0;
  /// vector: direction of the lanes. One of several kernels needs columns. Several axes in one
  /// kernel need points, and so do real rows that are not contiguous.
  LaneAxis axis = LaneAxis::automatic;
  Exchange exchange = Exchange::automatic;  ///< work_group: any value
  Twiddles twiddles = Twiddles::automatic;  ///< between the passes of this kernel: any value
  /// Source of the four-step twiddles (Govindaraju et al., fig. 5). All kernels of a hierarchy
  /// except the first multiply the elements that they load by them. table: products of entries of
  /// two short tables. work_group: any value. vector: product (of polynomials), polynomial or
  /// native.
  Twiddles four_step = Twiddles::automatic;
  friend bool operator==(const KernelParameters&, const KernelParameters&) = default;
};

/// Parameters of a transform. Default-constructed: imago chooses everything for the device.
struct Parameters {
  Mapping mapping = Mapping::automatic;  ///< any value on any device
  /// Algorithm of each axis. single and hierarchy accept only lengths without a prime factor above
  /// 31, or with one that is a radix; other lengths are computed as convolutions. rader accepts
  /// primes above 2, bluestein lengths from 2. If no single kernel can transform all axes, imago
  /// transforms one axis after the other, each as lines. `kernels` then define the algorithm of
  /// each line. A line with prime factors above 31 uses rader if its kernels begin with p - 1
  /// points, otherwise bluestein if their product is not its length.
  Algorithm algorithm = Algorithm::automatic;
  /// Kernels in launch order; empty: imago chooses their number. The product of their lengths is
  /// the number of points of the line. For real data and cosine transforms these are the points of
  /// its complex DFT: n real numbers, n even, are n/2 points. With rader the only kernel has p - 1
  /// points, or at least 2 p - 3. With bluestein the product is at least 2 n - 2, and the inverse
  /// part of the convolution reuses all kernels except the last. Several axes in one kernel have
  /// one entry. Several lines have their kernels one line after the other, in the order of the
  /// forward direction also for the inverse one.
  std::vector<KernelParameters> kernels = {};
  /// Number of launches. Launch overhead dominates small transforms, and one launch pays it once.
  /// One launch needs two to six kernels with work-groups of one size (items * columns), and a
  /// device whose work-groups can synchronize (OpenCL 2.0 or 3.0; imago tries it once).
  Launches launches = Launches::automatic;
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace imago
