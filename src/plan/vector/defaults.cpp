// This file holds the defaults of the vector mapping, from measurements on PoCL with AVX-512.
#include "plan/vector/defaults.hpp"

#include <algorithm>
#include <bit>

#include "base/integers.hpp"
#include "kernel/radices.hpp"
#include "kernel/step.hpp"
#include "plan/vector/abreast.hpp"
#include "plan/vector/joins.hpp"
#include "plan/vector/legality.hpp"

namespace imago::plan {
namespace {

/// The vectors of a kernel.
struct RegisterRoom {
  unsigned lanes = 1;
  /// Largest composite radix: others have more points than there are registers. Pairs take two
  /// registers for one number. Compilers need twice as long for radix 16 in pairs as for radix 8
  /// (4096 points, PoCL 3.1), and the kernels are as fast.
  unsigned most_points = 16;

  RegisterRoom with(unsigned other) const { return {other, most_points}; }
};

/// Returns an estimate of the vector operations of one butterfly: loads and stores of its points,
/// twiddles and arithmetic. Composite radices with too many points get a cost that excludes them.
double butterfly_cost(unsigned radix, bool twiddles, const RegisterRoom& registers) {
  const auto r = static_cast<double>(radix);
  const auto primes = base::prime_factors(radix);
  if (radix > registers.most_points && primes.size() > 1) return 1e6;  // primes cannot be split
  double arithmetic = 0;
  for (const auto p : primes) arithmetic += r * (p == 2 ? 2.0 : static_cast<double>(p));
  return 4 * r + arithmetic + (twiddles ? 4 * r : 0);
}

/// Returns the cost of a pass with lanes along the points of one transform, for each point of the
/// slower axes.
double points_pass_cost(const kernel::AxisPlace& axis, std::uint64_t done, unsigned radix,
                        const RegisterRoom& registers) {
  const unsigned lanes = registers.lanes;
  const std::uint64_t left = axis.length * axis.inner / (done * radix);
  const double butterfly = butterfly_cost(radix, done > 1, registers);
  const bool power = base::is_power_of_two(radix);
  const double transposition = power ? 2.0 * radix * std::bit_width(std::min(radix, lanes))
                                     : 2.0 * radix * std::min(radix, lanes);
  if (left == 1 && done > 1) {
    if (done < lanes) return 1e3 * static_cast<double>(done) * butterfly;
    return static_cast<double>(base::ceil_divide(done, lanes)) *
           (butterfly + transposition + 2 * radix);
  }
  if (left == 1) {  // lanes along the slower axes
    const auto width =
        static_cast<double>(std::min<std::uint64_t>(lanes, std::bit_floor(axis.outer)));
    return (butterfly + (width > 1 ? 2 * transposition : 0) + 2 * radix) / width;
  }
  const std::uint64_t width = std::min<std::uint64_t>(lanes, std::bit_floor(left));
  return static_cast<double>(done * base::ceil_divide(left, width)) * (butterfly + 2);
}

kernel::Factorisation along_points(const std::vector<kernel::AxisPlace>& axes,
                                   const RegisterRoom& registers) {
  kernel::Factorisation all;
  for (const kernel::AxisPlace& axis : axes) {
    const auto cost = [&](std::uint64_t done, unsigned radix) {
      return points_pass_cost(axis, done, radix, registers);
    };
    const auto found = kernel::cheapest(axis.length, kernel::all_radices(), cost);
    all.radices.insert(all.radices.end(), found.radices.begin(), found.radices.end());
    all.cost += static_cast<double>(axis.outer) * found.cost;
  }
  return all;
}

/// Returns the cheapest radices if every lane has its own transform; contiguous rows are transposed
/// at load and store.
kernel::Factorisation along_columns(std::uint64_t length, const RegisterRoom& registers) {
  return kernel::cheapest(length, kernel::all_radices(), [&](std::uint64_t done, unsigned radix) {
    return static_cast<double>(length / radix) * (butterfly_cost(radix, done > 1, registers) + 2);
  });
}

/// Returns the cheapest radices with lanes along points. If the points of one transform fill half a
/// vector, a vector holds two transforms (abreast.hpp).
kernel::Factorisation along_points_of_some(const KernelContext& context,
                                           const std::vector<kernel::AxisPlace>& axes,
                                           const RegisterRoom& registers) {
  const unsigned lanes = registers.lanes;
  const lines::Request& request = *context.request;
  const bool bare = axes.size() == 1 && context.alone() && request.bare() && context.packed() &&
                    !context.convolves;
  if (bare) {
    kernel::Factorisation half = along_points(axes, registers.with(lanes / 2));
    half.cost /= 2;
    if (fill_half(half.radices, lanes)) return half;
  }
  return along_points(axes, registers);
}

/// Returns true if the best passes compute two transforms per vector.
bool goes_abreast(const KernelContext& context, const std::vector<kernel::AxisPlace>& axes,
                  const RegisterRoom& registers) {
  return fill_half(along_points_of_some(context, axes, registers).radices, registers.lanes);
}

/// Returns the lanes along points. Short transforms have too few points for wide vectors in every
/// pass, but two together may have enough.
unsigned point_lanes(const KernelContext& context, const std::vector<kernel::AxisPlace>& axes,
                     std::uint64_t length, const RegisterRoom& registers) {
  if (length > 256 || goes_abreast(context, axes, registers)) return registers.lanes;
  return std::min(registers.lanes, 8u);
}

unsigned widest_tile(std::uint64_t extent, unsigned lanes) {
  unsigned best = 1;
  double least = 0;
  for (unsigned width = lanes; width >= 2; width /= 2) {
    const std::uint64_t rest = std::min<std::uint64_t>(extent % width, kernel::kFewestInLanes);
    const double steps = static_cast<double>(extent / width) + static_cast<double>(rest);
    if (best == 1 || steps < least) best = width, least = steps;
  }
  return best;
}

/// Returns true for short rows that are transposed, transformed and transposed back in registers.
bool in_registers(std::uint64_t length, unsigned lanes) {
  return length < lanes / 2 || (base::is_power_of_two(length) && length <= 16);
}

/// Returns the tiles of a work-item: 4096 points along points, or 2048 along columns, justify a
/// work-group (16 cores, PoCL 5: 512 points take 10 % less time with 8 tiles than with 2, 16 points
/// 5 % less with 8 than with 4). The batch does not matter here: choose() makes sure that each core
/// gets tiles.
unsigned default_tiles(const KernelParameters& kernel) {
  const bool columns = kernel.axis == LaneAxis::columns;
  const std::uint64_t tiles =
      columns ? std::max<std::uint64_t>(2048 / (kernel.length * kernel.lanes), 1)
              : std::max<std::uint64_t>(4096 / kernel.length, 2);
  return static_cast<unsigned>(std::bit_floor(std::min<std::uint64_t>(tiles, 8)));
}

std::vector<unsigned> default_radices(const KernelParameters& kernel, const KernelContext& context,
                                      const std::vector<kernel::AxisPlace>& axes,
                                      const RegisterRoom& registers) {
  if (kernel.axis == LaneAxis::columns) {
    if (context.alone() && in_registers(kernel.length, kernel.lanes))
      return {static_cast<unsigned>(kernel.length)};
    return along_columns(kernel.length, registers).radices;
  }
  if (axes.size() == 1 && !context.convolves) {
    auto joined = radices_to_join(kernel.length, kernel.lanes, context.request->precision);
    if (!joined.empty()) return joined;
  }
  return along_points_of_some(context, axes, registers.with(kernel.lanes)).radices;
}

/// Returns the kernel's vectors, or those of the device if its lanes are not set.
RegisterRoom registers_of(const KernelParameters& kernel, Precision precision,
                          const device::Facts& facts) {
  const bool pairs = precision == Precision::f64 && facts.f64.pairs;
  return {kernel.lanes != 0 ? kernel.lanes : vector_lanes(precision, facts), pairs ? 8u : 16u};
}

}  // namespace

unsigned vector_lanes(Precision precision, const device::Facts& facts) {
  const unsigned native = precision == Precision::f64 ? facts.vector_f64 : facts.vector_f32;
  return std::clamp(std::bit_floor(std::max(native, 1u)), 4u, 16u);
}

KernelParameters complete_vector(KernelParameters kernel, const KernelContext& context,
                                 const device::Facts& facts) {
  const RegisterRoom registers = registers_of(kernel, context.request->precision, facts);
  unsigned lanes = registers.lanes;
  const std::vector<kernel::AxisPlace> axes = context.axes(kernel.length);
  if (kernel.axis == LaneAxis::automatic) {
    const bool rows = context.packed() || kernel.length >= lanes / 2;
    if (!context.alone()) {
      kernel.axis = LaneAxis::columns;
    } else if (axes.size() > 1 || !context.plain() || !kernel::has_radices(kernel.length)) {
      // Columns that do not fill a vector have their own text, too long with large radices.
      kernel.axis = LaneAxis::points;
    } else if (kernel.length <= 32) {
      // Rows that are transposed in registers need more registers than exist (two cores, PoCL 3.1:
      // 16 points of f64 772 us, 384 us with two transforms per vector; 32 points 668 and 388 us).
      const bool columns = rows && !goes_abreast(context, axes, registers);
      kernel.axis = columns ? LaneAxis::columns : LaneAxis::points;
    } else {
      // Rows go through private memory twice more, and a tile of them seldom fits into the
      // first-level cache.
      const unsigned width = point_lanes(context, axes, kernel.length, registers);
      const double columns = 2 * along_columns(kernel.length, registers).cost / width;
      const bool cheaper =
          columns < along_points_of_some(context, axes, registers.with(width)).cost;
      const bool fits = kernel.length * lanes <= kMostPrivatePoints;
      kernel.axis =
          cheaper && fits && context.neighbours >= 2 * lanes ? LaneAxis::columns : LaneAxis::points;
    }
  }
  const bool columns = kernel.axis == LaneAxis::columns;
  if (kernel.lanes == 0) {
    if (columns && !context.alone()) lanes = widest_tile(context.neighbours, lanes);
    if (!columns) lanes = point_lanes(context, axes, kernel.length, registers);
    kernel.lanes = lanes;
  }
  if (kernel.radices.empty()) kernel.radices = default_radices(kernel, context, axes, registers);
  if (kernel.columns == 0) kernel.columns = context.alone() ? default_tiles(kernel) : 1;
  if (kernel.twiddles == Twiddles::automatic) kernel.twiddles = Twiddles::table;
  if (kernel.four_step == Twiddles::automatic)
    kernel.four_step = context.in_ring(facts) ? Twiddles::table : Twiddles::product;
  return kernel;
}

}  // namespace imago::plan
