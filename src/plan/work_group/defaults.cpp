// This file holds the defaults of the work-group mapping, from measurements on an NVIDIA H200.
#include "plan/work_group/defaults.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "kernel/radices.hpp"
#include "kernel/step.hpp"
#include "lines/largest.hpp"

namespace imago::plan {
namespace {

/// Points that a work-item holds, for lengths that are powers of two. Short transforms leave memory
/// time to spare for more exchanges of fewer points, which keeps loads contiguous.
unsigned points_per_item(std::uint64_t length, const KernelContext& context) {
  const bool wide = context.wide();
  if (length <= 2) return static_cast<unsigned>(length);
  if (!context.alone()) {
    if (length <= 64) return std::min<unsigned>(8, static_cast<unsigned>(length));
    return !wide && (length == 512 || (length == 1024 && !context.twiddled())) ? 32 : 16;
  }
  if (length <= 8) return 2;
  // Unfolding is one exchange more, so fewer between the passes.
  if (!context.plain() && !wide && length >= 64 && length <= 512) return 16;
  if (length <= 128) return 4;
  if (wide) return length <= 4096 ? 8 : 16;
  return length == 512 ? 8 : length <= 4096 ? 16 : 32;
}

/// Radices of a power of two whose work-items hold `points`: as even as possible, the larger first.
/// A single bit too many doubles the middle one of three or more, with half of the items idle,
/// unless that is more than the widest; a single bit too few halves the middle one.
std::vector<unsigned> even_radices(std::uint64_t length, unsigned points, unsigned widest) {
  const auto bits = static_cast<unsigned>(std::countr_zero(length));
  const auto most = static_cast<unsigned>(std::countr_zero(points));
  auto passes = static_cast<unsigned>(base::ceil_divide(bits, most));
  if (bits % most == 1 && passes > 3 && 2 * points <= widest) {
    std::vector<unsigned> radices(--passes, points);
    radices[passes / 2] *= 2;
    return radices;
  }
  if (points == 32 && 3 * most - bits == 1) return {points, points / 2, points};
  std::vector<unsigned> radices;
  for (unsigned i = 0; i < passes; ++i)
    radices.push_back(1u << (bits / passes + (i < bits % passes ? 1 : 0)));
  return radices;
}

/// Radices where a half spectrum is folded: every pass as large as it can be, the rest first
/// (found on an H200: 2.16.16 takes 0.94 of the time of 8.8.8).
std::vector<unsigned> large_radices(std::uint64_t length, unsigned points) {
  std::vector<unsigned> radices;
  for (; length >= points; length /= points) radices.push_back(points);
  if (length > 1) radices.insert(radices.begin(), static_cast<unsigned>(length));
  return radices;
}

/// Items that take part in a pass, busy or not, over those needed; an exchange; and large radices,
/// which hold registers.
double pass_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  const double rounds = static_cast<double>(base::ceil_divide(length / radix, items));
  const double waste = rounds * static_cast<double>(items) * radix / static_cast<double>(length);
  return waste * (1 + radix / 64.0) + 2;
}

/// The cost of a pass in a convolution, which holds factors of both directions: with large radices
/// registers run out (on an H200, 8190 points as 13.10.9.7 beat 13.30.21).
double convolution_pass_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  constexpr unsigned kRoomy = 24;
  constexpr double kSpills = 3;
  return pass_cost(length, radix, items) + (radix > kRoomy ? kSpills : 0);
}

/// Most items of one transform: there are two in a group at least where columns are mirrored.
unsigned most_items(const KernelContext& context, const device::Facts& facts) {
  return facts.max_work_group / (context.mirrored() ? 2 : 1);
}

/// Numbers of items that give each of them up to `most_points` points.
std::vector<std::uint64_t> item_counts(std::uint64_t length, unsigned most_points,
                                       unsigned most_items) {
  std::vector<std::uint64_t> counts;
  for (unsigned points = 1; points <= most_points; ++points) {
    const std::uint64_t items = base::ceil_divide(length, points);
    if (items <= most_items && (counts.empty() || counts.back() != items)) counts.push_back(items);
  }
  return counts;
}

/// The cheapest radices along one axis after the other.
kernel::Factorisation cheapest_along(const std::vector<kernel::AxisPlace>& axes,
                                     const kernel::PassCost& cost) {
  kernel::Factorisation all;
  for (const kernel::AxisPlace& axis : axes) {
    const kernel::Factorisation found = kernel::cheapest(axis.length, kernel::all_radices(), cost);
    if (found.radices.empty()) return {};
    all.radices.insert(all.radices.end(), found.radices.begin(), found.radices.end());
    all.cost += found.cost;
  }
  return all;
}

/// One of lines::largest_line's, which takes all registers of a compute unit.
bool fills_registers(std::uint64_t length, const KernelContext& context,
                     const device::Facts& facts) {
  return context.alone() && context.plain() && !context.convolves &&
         length >
             lines::largest_single(kernel::WorkGroup::mapping, context.request->precision, facts);
}

/// Mixed lengths and several axes: the number of items and the radices with the least waste.
void choose_mixed(KernelParameters& kernel, const KernelContext& context, unsigned most_points,
                  const device::Facts& facts) {
  constexpr double kTooMany = 1e6;
  const std::vector<kernel::AxisPlace> axes = context.axes(kernel.length);
  const auto each = context.convolves ? convolution_pass_cost : pass_cost;
  const unsigned wished = kernel.items;
  const bool beyond = fills_registers(kernel.length, context, facts);
  double best = kTooMany;
  for (const std::uint64_t items :
       item_counts(kernel.length, most_points, most_items(context, facts))) {
    if (wished != 0 && items != wished) continue;
    const unsigned held_most =
        lines::points_in_registers(static_cast<unsigned>(items), context.request->precision, facts);
    const unsigned most = beyond ? std::min(most_points, held_most) : most_points;
    const auto cost = [&](std::uint64_t, unsigned radix) {
      const std::uint64_t held = base::ceil_divide(kernel.length / radix, items) * radix;
      return held > most ? kTooMany : each(kernel.length, radix, items);
    };
    const kernel::Factorisation found = cheapest_along(axes, cost);
    if (found.radices.empty() || found.cost >= best) continue;
    if (found.radices.size() == 1 && items != 1) continue;
    best = found.cost;
    kernel.radices = found.radices;
    kernel.items = static_cast<unsigned>(items);
  }
  // Quicker than the other way round on an H200: convolutions from 2002 points on, and where the
  // first pass, which has no factors, needs all registers (10000 points of f64: 345 us for 528).
  if ((context.convolves && kernel.length > 1024) || (beyond && context.wide()))
    std::sort(kernel.radices.begin(), kernel.radices.end(), std::greater<>());
}

/// Powers of two along several axes that are reordered: 16 points per work-item, so that the passes
/// where points meet their partners can be of two butterflies (kernel::Pass::coupled).
void choose_reordered(KernelParameters& kernel, const KernelContext& context,
                      const device::Facts& facts) {
  constexpr unsigned kPoints = 16;
  const auto& axes = context.request->axes;
  const bool powers = std::all_of(axes.begin(), axes.end(), base::is_power_of_two);
  const bool several = std::any_of(axes.begin(), axes.end(), [](auto n) { return n > kPoints; });
  const std::uint64_t items = kernel.length / kPoints;
  if (!context.reorders() || !powers || !several || items > most_items(context, facts)) return;
  kernel.items = static_cast<unsigned>(items);
  const bool last = context.request->axis_order() == kernel::AxisOrder::slowest_last;
  for (const kernel::AxisPlace& axis : context.axes(kernel.length)) {
    // Where partners are joined last (II), it pays more from 64 points on that a small radix first
    // has neighbours load longer runs.
    const bool couples = axis.length > kPoints && (!last || axis.length < 4 * kPoints);
    const unsigned coupled = couples ? kPoints / 2 : 1;
    auto radices = large_radices(axis.length / coupled, kPoints);
    if (couples) radices.insert(last ? radices.end() : radices.begin(), coupled);
    kernel.radices.insert(kernel.radices.end(), radices.begin(), radices.end());
  }
}

/// The points of a column lie so far apart that pages, not segments, decide: larger tiles pay.
bool far_apart(const KernelContext& context) {
  return context.twiddled() && context.neighbours >= (1u << 17);
}

bool long_convolution(const KernelParameters& kernel, const KernelContext& context) {
  return context.convolves && kernel.items >= 256;
}

unsigned default_columns(const KernelParameters& kernel, const KernelContext& context,
                         const device::Facts& facts) {
  const std::uint64_t most = std::max(1u, facts.max_work_group / kernel.items);
  const std::uint64_t real = base::bytes_of(base::arithmetic_of(context.request->precision));
  // A segment of 128 bytes per row, where columns are mirrored on either side.
  std::uint64_t columns = (context.mirrored() ? 128 : 64) / real;
  std::uint64_t tile_bytes = facts.local_bytes * 15 / 16;
  if (context.alone()) {
    // Two long convolutions hide each other's latency (seen with 8190 points on an H200).
    const unsigned items = kernel.length <= 4 ? 256 : long_convolution(kernel, context) ? 640 : 128;
    columns = std::max(1u, items / kernel.items);
  } else {
    tile_bytes = std::min<std::uint64_t>(tile_bytes, 64 << 10);
    if (kernel.length == 1024 && (context.twiddled() || !context.plain())) columns /= 2;
    if (kernel.length <= 256 && far_apart(context)) columns *= 2;
    if (kernel.radices.size() == 1) columns = 256;
  }
  columns = std::min(columns, most);
  const bool exchanges = kernel.radices.size() > 1 || context.mirrored() || context.reorders();
  while (columns > 1 && exchanges && columns * kernel.length * real > tile_bytes) columns /= 2;
  if (context.mirrored()) columns = std::max<std::uint64_t>(2, columns - columns % 2);
  return static_cast<unsigned>(columns);
}

}  // namespace

KernelParameters complete_work_group(KernelParameters kernel, const KernelContext& context,
                                     const device::Facts& facts) {
  if (kernel.radices.empty() && kernel.items == 0) choose_reordered(kernel, context, facts);
  if (kernel.radices.empty()) {
    if (kernel.length == 1) {
      kernel.radices = {1};
    } else if (base::is_power_of_two(kernel.length) && kernel.items == 0 &&
               !(context.only && !context.request->axes.empty())) {
      unsigned points = points_per_item(kernel.length, context);
      while (kernel.length / points > most_items(context, facts)) points *= 2;
      kernel.radices = context.alone() && !context.plain() && points >= 8
                           ? large_radices(kernel.length, points)
                           : even_radices(kernel.length, points, context.wide() ? 16 : 32);
      kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / points));
    } else {
      const unsigned most_points = fills_registers(kernel.length, context, facts)
                                       ? (context.wide() ? 25 : 49)
                                       : (context.wide() ? 16 : 30);
      choose_mixed(kernel, context, most_points, facts);
      if (kernel.radices.empty())
        choose_mixed(kernel, context, 2 * most_points, facts);  // few items: may spill, but right
    }
  }
  if (kernel.items == 0) {
    const unsigned widest = kernel.radices.empty()
                                ? 1
                                : *std::max_element(kernel.radices.begin(), kernel.radices.end());
    kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / widest));
  }
  if (kernel.columns == 0) kernel.columns = default_columns(kernel, context, facts);
  if (kernel.exchange == Exchange::automatic) {
    const std::size_t real = base::bytes_of(base::arithmetic_of(context.request->precision));
    const std::size_t together = 2 * real * kernel.length * kernel.columns;
    // Half as many barriers, as long as memory is not what limits the groups of a compute unit:
    // where a group fills it with work-items or with points in registers, there is no second one
    // anyway.
    const bool registers_limit = kernel.items * kernel.columns >= 1024 ||
                                 long_convolution(kernel, context) ||
                                 (context.alone() && kernel.length >= 16384);
    const std::size_t limit = registers_limit ? 160 << 10 : context.alone() ? 72 << 10 : 40 << 10;
    kernel.exchange = together + together / 16 <= std::min(facts.local_bytes, limit)
                          ? Exchange::interleaved
                          : Exchange::split;
  }
  if (kernel.twiddles == Twiddles::automatic) kernel.twiddles = Twiddles::product;
  if (kernel.four_step == Twiddles::automatic) {
    kernel.four_step =
        kernel.length <= 256 && !far_apart(context) ? Twiddles::polynomial : Twiddles::product;
  }
  return kernel;
}

bool fits_registers(const lines::Request& request, const device::Facts& facts) {
  const KernelContext context{&request};
  const KernelParameters kernel = complete_work_group({.length = request.length}, context, facts);
  const unsigned most = lines::points_in_registers(kernel.items, request.precision, facts);
  return !kernel.radices.empty() &&
         std::all_of(kernel.radices.begin(), kernel.radices.end(), [&](unsigned radix) {
           return base::ceil_divide(kernel.length / radix, kernel.items) * radix <= most;
         });
}

}  // namespace imago::plan
