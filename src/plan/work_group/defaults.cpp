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
#include "plan/work_group/legality.hpp"
#include "plan/work_group/radices.hpp"

namespace imago::plan {
namespace {

/// Returns the points per work-item, for lengths that are powers of two. Short transforms are
/// limited by memory, so they have time for more exchanges of fewer points, which keeps loads
/// contiguous.
unsigned points_per_item(std::uint64_t length, const KernelContext& context) {
  const bool wide = context.wide();
  if (length <= 2) return static_cast<unsigned>(length);
  if (!context.alone()) {
    if (length <= 64) return std::min<unsigned>(8, static_cast<unsigned>(length));
    return !wide && (length == 512 || (length == 1024 && !context.twiddled())) ? 32 : 16;
  }
  if (length <= 8) return 2;
  // Unfolding adds an exchange, so there should be fewer between the passes.
  if (!context.plain() && !wide && length >= 64 && length <= 512) return 16;
  if (length <= 128) return 4;
  if (wide) return length <= 4096 ? 8 : 16;
  return length == 512 ? 8 : length <= 4096 ? 16 : 32;
}

/// Returns the cost of a pass: its waste; an exchange; and a penalty for large radices, which need
/// more registers.
double pass_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  return pass_waste(length, radix, items) * (1 + radix / 64.0) + 2;
}

/// Returns the cost of a pass in a convolution, which holds factors of both directions. Large
/// radices then exceed the registers (on an H200, 8190 points are faster as 13.10.9.7 than as
/// 13.30.21).
double convolution_pass_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  constexpr unsigned kRoomy = 24;
  constexpr double kSpills = 3;
  return pass_cost(length, radix, items) + (radix > kRoomy ? kSpills : 0);
}

/// Returns the most work-items per transform. With mirrored columns a group has at least two
/// transforms.
unsigned most_items(const KernelContext& context, const device::Facts& facts) {
  return facts.max_work_group / (context.mirrored() ? 2 : 1);
}

/// Returns the numbers of work-items that give each of them up to `most_points` points.
std::vector<std::uint64_t> item_counts(std::uint64_t length, unsigned most_points,
                                       unsigned most_items) {
  std::vector<std::uint64_t> counts;
  for (unsigned points = 1; points <= most_points; ++points) {
    const std::uint64_t items = base::ceil_divide(length, points);
    if (items <= most_items && (counts.empty() || counts.back() != items)) counts.push_back(items);
  }
  return counts;
}

/// Returns the cheapest radices, for each axis separately. The last pass of a plane stores runs of
/// as many elements as its axis has finished digits. So its radix is the smallest one of the axis,
/// and a single pass along the axis has the cost of two more.
kernel::Factorisation cheapest_along(const KernelContext& context, std::uint64_t length,
                                     const std::vector<unsigned>& radices,
                                     const kernel::PassCost& cost) {
  constexpr double kOnePass = 6;
  const std::vector<kernel::AxisPlace> axes = context.axes(length);
  kernel::Factorisation all;
  for (const kernel::AxisPlace& axis : axes) {
    const bool stores_runs =
        axes.size() > 1 && &axis == &axes.back() && axis.inner == 1 && !context.reorders();
    const auto cost_here = [&](std::uint64_t done, unsigned radix) {
      return cost(done, radix) + (stores_runs && radix == axis.length ? kOnePass : 0);
    };
    kernel::Factorisation found = kernel::cheapest(axis.length, radices, cost_here);
    if (found.radices.empty()) return {};
    if (stores_runs) std::sort(found.radices.begin(), found.radices.end(), std::greater<>());
    all.radices.insert(all.radices.end(), found.radices.begin(), found.radices.end());
    all.cost += found.cost;
  }
  return all;
}

/// Returns true for lines near lines::largest_line(), which use all registers of a compute unit.
bool fills_registers(std::uint64_t length, const KernelContext& context,
                     const device::Facts& facts) {
  return context.alone() && context.plain() && !context.convolves &&
         length >
             lines::largest_single(kernel::WorkGroup::mapping, context.request->precision, facts);
}

/// Returns true for rows that a work-item holds whole and moves in blocks through local memory. On
/// an H200 they take the time of a copy for each length that is not a power of two; as passes of
/// several work-items, rows of 22 to 62 points with a prime factor from 11 on took 1.2 to 1.9 times
/// that (docs/measured/h200.md, "Rows in one work-item").
bool is_whole_row(const KernelParameters& kernel, const KernelContext& context,
                  const device::Facts& facts) {
  constexpr std::uint64_t kShortest = 5;
  const lines::Request& request = *context.request;
  const bool blocks = context.alone() && context.packed() && request.bare() &&
                      request.axes.empty() && !context.convolves && !request.in.planar &&
                      !request.out.planar;
  const auto large = static_cast<unsigned>(kernel::without_radices(kernel.length));
  const unsigned held = std::max(points_without_spills(context, facts), large);
  return blocks && !context.in_pairs(facts) && kernel.items <= 1 && kernel.length >= kShortest &&
         !base::is_power_of_two(kernel.length) && kernel.length <= held &&
         kernel::has_butterfly(kernel.length) &&
         lines::has_radices(kernel.length, kernel::WorkGroup::mapping, request.precision, facts);
}

/// Chooses the number of work-items and the radices with the least waste, for mixed lengths and
/// several axes.
void choose_mixed(KernelParameters& kernel, const KernelContext& context, unsigned most_points,
                  const device::Facts& facts) {
  const auto each = context.convolves ? convolution_pass_cost : pass_cost;
  const unsigned wished = kernel.items;
  const bool beyond = fills_registers(kernel.length, context, facts);
  double best = kTooManyPoints;
  for (const std::uint64_t items :
       item_counts(kernel.length, most_points, most_items(context, facts))) {
    if (wished != 0 && items != wished) continue;
    const unsigned held_most =
        lines::points_in_registers(static_cast<unsigned>(items), context.request->precision, facts);
    const unsigned most = beyond ? std::min(most_points, held_most) : most_points;
    const auto cost = [&](std::uint64_t, unsigned radix) {
      const std::uint64_t held = base::ceil_divide(kernel.length / radix, items) * radix;
      return held > most ? kTooManyPoints : each(kernel.length, radix, items);
    };
    const kernel::Factorisation found =
        cheapest_along(context, kernel.length, kernel::all_radices(), cost);
    if (found.radices.empty() || found.cost >= best) continue;
    if (found.radices.size() == 1 && items != 1) continue;
    best = found.cost;
    kernel.radices = found.radices;
    kernel.items = static_cast<unsigned>(items);
  }
  // Sorting by size is faster on an H200 in two cases: convolutions of 2002 points or more, and
  // lines whose first pass, which has no factors, needs all registers (10000 points of f64: 345 us
  // instead of 528).
  if ((context.convolves && kernel.length > 1024) || (beyond && context.wide()))
    std::sort(kernel.radices.begin(), kernel.radices.end(), std::greater<>());
}

/// Returns true if the points of the line stay in local memory: on request, for lines and planes
/// that are longer than registers should hold, and for long mixed lines, which are faster so on an
/// H200 (docs/measured/h200.md, "Points that stay in local memory").
bool stays_in_place(const KernelParameters& kernel, const KernelContext& context,
                    const device::Facts& facts) {
  constexpr std::size_t kLong = 64 << 10;  // bytes
  if (!takes_in_place(context) || !context.alone()) return false;
  if (kernel.exchange != Exchange::automatic) return kernel.exchange == Exchange::in_place;
  const Precision precision = context.request->precision;
  const std::size_t bytes = kernel.length * 2 * base::bytes_of(base::arithmetic_of(precision));
  if (bytes > facts.local_bytes) return false;
  const bool line = context.request->axes.empty();
  const auto most = (line ? lines::largest_single : lines::largest_together)(
      kernel::WorkGroup::mapping, precision, facts);
  return kernel.length > most || (line && bytes > kLong && !base::is_power_of_two(kernel.length));
}

/// Returns the cost of a pass whose points stay in local memory. Like the numbers in
/// choose_in_place(), it is fitted to kernels for lines and planes from 8192 to 28900 points on an
/// H200.
double in_place_cost(std::uint64_t length, unsigned radix, std::uint64_t items) {
  // On an H200, 20000 points are slower with radices 40 25 20 than with 32 25 25.
  const double wide = radix > 32 ? 1.5 : 0;
  return pass_waste(length, radix, items) * (1 + radix / 32.0) + 3 + wide;
}

/// Chooses the number of work-items and the radices for points that stay in local memory, where
/// registers limit only the radix.
void choose_in_place(KernelParameters& kernel, const KernelContext& context,
                     const device::Facts& facts) {
  constexpr unsigned kPortion = 128, kEnough = 768;
  constexpr double kFew = 0.3 / 1024;
  double best = kTooManyPoints;
  const unsigned wished = kernel.items;
  for (unsigned items = kPortion; items <= facts.max_work_group; items += kPortion) {
    if (wished != 0 && items != wished) continue;
    const unsigned most = widest_in_place(items, context, facts);
    const auto cost = [&](std::uint64_t, unsigned radix) {
      return radix > most ? kTooManyPoints : in_place_cost(kernel.length, radix, items);
    };
    const kernel::Factorisation found =
        cheapest_along(context, kernel.length, kernel::radices_in_place(), cost);
    const double slower = 1 + kFew * (items < kEnough ? kEnough - items : 0);
    if (found.radices.empty() || slower * found.cost >= best) continue;
    best = slower * found.cost;
    kernel.radices = found.radices;
    kernel.items = items;
    if (kernel.columns == 0) kernel.columns = 1;
    kernel.exchange = Exchange::in_place;
  }
  // The first pass has no factors, so it has most room for points.
  if (context.request->axes.empty())
    std::sort(kernel.radices.begin(), kernel.radices.end(), std::greater<>());
}

/// Chooses 16 points per work-item for powers of two along several reordered axes. The passes that
/// join points with their partners then have two butterflies per work-item (kernel::Pass::coupled).
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
    // If partners are joined last (II), axes of 64 points or more are faster with a small first
    // radix, which makes adjacent work-items load longer runs.
    const bool couples = axis.length > kPoints && (!last || axis.length < 4 * kPoints);
    const unsigned coupled = couples ? kPoints / 2 : 1;
    auto radices = large_radices(axis.length / coupled, kPoints);
    if (couples) radices.insert(last ? radices.end() : radices.begin(), coupled);
    kernel.radices.insert(kernel.radices.end(), radices.begin(), radices.end());
  }
}

/// Returns true if the points of a column are so far apart that pages, not segments, limit the
/// speed; larger tiles are then faster.
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
  // Gives each row a segment of 64 bytes, or 128 bytes if columns are mirrored on either side.
  std::uint64_t columns = (context.mirrored() ? 128 : 64) / real;
  std::uint64_t tile_bytes = facts.local_bytes * 15 / 16;
  if (context.alone()) {
    // Two long convolutions per compute unit hide each other's latency (measured with 8190 points
    // on an H200).
    const unsigned items = kernel.length <= 4 ? 256 : long_convolution(kernel, context) ? 640 : 128;
    columns = std::max(1u, items / kernel.items);
    // A warp has no others to wait for. With many points each, two have more loads under way.
    constexpr unsigned kWarp = 32, kMany = 46;
    if (is_whole_row(kernel, context, facts) && kernel.radices.size() == 1)
      columns = std::max(facts.simd, kWarp) * (kernel.length < kMany ? 1 : 2);
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

/// Returns true if the twiddles of each pass, all of them in a table, fit the first cache beside
/// local memory. Pairs on an H200: 2048 points in radices 8 8 8 4 take 588 us with 24 KiB, and 626
/// with products; 4096 points in radices of 8 take 750 us with 56 KiB, and 695 with products.
bool tables_fit_cache(const KernelParameters& kernel, const KernelContext& context) {
  constexpr std::size_t kMostBytes = 32 << 10;
  const std::size_t entry = 2 * base::bytes_of(base::arithmetic_of(context.request->precision));
  std::uint64_t done = 1;
  for (const unsigned radix : kernel.radices) {
    if (done * (radix - 1) * entry > kMostBytes) return false;
    done *= radix;
  }
  return true;
}

void choose_twiddles(KernelParameters& kernel, const KernelContext& context,
                     const device::Facts& facts) {
  const bool pairs = context.in_pairs(facts) || context.in_ring(facts);
  if (kernel.twiddles == Twiddles::automatic) {
    kernel.twiddles =
        pairs && tables_fit_cache(kernel, context) ? Twiddles::table : Twiddles::product;
  }
  if (kernel.four_step != Twiddles::automatic) return;
  if (pairs) {
    kernel.four_step = Twiddles::table;
  } else {
    kernel.four_step =
        kernel.length <= 256 && !far_apart(context) ? Twiddles::polynomial : Twiddles::product;
  }
}

/// Returns the exchange of fewer barriers, interleaved, unless local memory limits the number of
/// groups per compute unit. If one group already fills the compute unit with work-items, or with
/// points in registers, there is no second group anyway.
Exchange default_exchange(const KernelParameters& kernel, const KernelContext& context,
                          const device::Facts& facts) {
  // Two groups of so many work-items have at most 42 registers for each. On an H200, 1000 x 1000
  // points whose columns have 800 work-items take 455 us with Exchange::split, 304 with
  // interleaved.
  constexpr unsigned kOneGroup = 768;
  const std::size_t real = base::bytes_of(base::arithmetic_of(context.request->precision));
  const std::size_t together = 2 * real * kernel.length * kernel.columns;
  const bool registers_limit = kernel.items * kernel.columns >= kOneGroup ||
                               long_convolution(kernel, context) ||
                               (context.alone() && kernel.length >= 16384);
  const std::size_t limit = registers_limit ? 160 << 10 : context.alone() ? 72 << 10 : 40 << 10;
  return together + together / 16 <= std::min(facts.local_bytes, limit) ? Exchange::interleaved
                                                                        : Exchange::split;
}

}  // namespace

KernelParameters complete_work_group(KernelParameters kernel, const KernelContext& context,
                                     const device::Facts& facts) {
  const unsigned held = points_without_spills(context, facts);
  if (kernel.radices.empty() && stays_in_place(kernel, context, facts))
    choose_in_place(kernel, context, facts);
  if (kernel.radices.empty() && kernel.items == 0) choose_reordered(kernel, context, facts);
  if (kernel.radices.empty() && is_whole_row(kernel, context, facts))
    kernel.radices = {static_cast<unsigned>(kernel.length)}, kernel.items = 1;
  if (kernel.radices.empty()) {
    if (kernel.length == 1) {
      kernel.radices = {1};
    } else if (base::is_power_of_two(kernel.length) && kernel.items == 0 &&
               !(context.only && !context.request->axes.empty())) {
      unsigned points = std::min(points_per_item(kernel.length, context), std::bit_floor(held));
      while (kernel.length / points > most_items(context, facts)) points *= 2;
      kernel.radices =
          context.alone() && !context.plain() && points >= 8
              ? large_radices(kernel.length, points)
              : even_radices(kernel.length, points, std::min(context.wide() ? 16u : 32u, held));
      kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / points));
    } else {
      const unsigned room = fills_registers(kernel.length, context, facts)
                                ? (context.wide() ? 25 : 49)
                                : (context.wide() ? 16 : 30);
      const auto large = static_cast<unsigned>(kernel::without_radices(kernel.length));
      const unsigned most_points = std::max(room, large);
      choose_mixed(kernel, context, std::min(most_points, held), facts);
      if (kernel.radices.empty() && held < most_points)
        choose_mixed(kernel, context, most_points, facts);
      if (kernel.radices.empty())
        choose_mixed(kernel, context, 2 * most_points, facts);  // may spill registers, but works
    }
  }
  if (kernel.items == 0) {
    const unsigned widest = kernel.radices.empty()
                                ? 1
                                : *std::max_element(kernel.radices.begin(), kernel.radices.end());
    kernel.items = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.length / widest));
  }
  if (kernel.columns == 0) kernel.columns = default_columns(kernel, context, facts);
  if (kernel.exchange == Exchange::automatic)
    kernel.exchange = default_exchange(kernel, context, facts);
  choose_twiddles(kernel, context, facts);
  return kernel;
}

bool fits_registers(const lines::Request& request, const device::Facts& facts) {
  const KernelContext context{&request};
  const KernelParameters kernel = complete_work_group({.length = request.length}, context, facts);
  const unsigned most = lines::points_in_registers(kernel.items, request.precision, facts);
  return !kernel.radices.empty() &&
         (kernel.exchange == Exchange::in_place || points_held(kernel) <= most);
}

}  // namespace imago::plan
