// This file lists the possible parameters of a kernel in the work-group mapping.
#include "plan/work_group/choices.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "base/integers.hpp"
#include "base/precision.hpp"
#include "device/work.hpp"
#include "lines/largest.hpp"
#include "plan/work_group/legality.hpp"
#include "plan/work_group/radices.hpp"

namespace imago::plan {
namespace {

constexpr unsigned kLeastGroup = 32, kMostGroup = 1024;
constexpr std::size_t kSegment = 256;  // bytes
constexpr unsigned kRowItems = 16;     // they take 128 bytes of an f32 row, a cache line

std::set<unsigned> item_counts(const KernelParameters& kernel) {
  if (kernel.radices.size() == 1) return {1};
  const bool power = base::is_power_of_two(kernel.length);
  std::set<unsigned> counts;
  for (unsigned points = 2; points <= lines::kMostPointsPerItem; ++points) {
    if (power && !base::is_power_of_two(points)) continue;
    KernelParameters divided = kernel;
    divided.items = static_cast<unsigned>(base::ceil_divide(kernel.length, points));
    if (points_held(divided) <= most_points_held(divided)) counts.insert(divided.items);
  }
  return counts;
}

/// Returns the most work-items with three points or more each that divide the length.
unsigned shared_items(std::uint64_t length) {
  for (std::uint64_t items = length / 3; items > 1; --items) {
    if (length % items == 0) return static_cast<unsigned>(items);
  }
  return 1;
}

/// Returns true for lines that are long enough for a group of work-items each if their points stay
/// in local memory. Powers of two take no longer in registers.
bool may_stay_in_place(const KernelParameters& kernel, const KernelContext& context) {
  constexpr std::uint64_t kShortest = 16 << 10;  // bytes
  KernelParameters in_place = kernel;
  in_place.columns = 1, in_place.exchange = Exchange::in_place;
  return takes_in_place(context) && context.alone() && !base::is_power_of_two(kernel.length) &&
         exchanged_bytes(in_place, context) >= kShortest;
}

/// Returns kernels of these radices whose points stay in local memory, for long lines.
std::vector<KernelParameters> choices_in_place(const KernelParameters& radices,
                                               const KernelContext& context,
                                               const device::Facts& facts) {
  constexpr unsigned kPortion = 128;
  std::vector<KernelParameters> found;
  KernelParameters kernel = radices;
  kernel.columns = 1;
  kernel.exchange = Exchange::in_place;
  if (!may_stay_in_place(kernel, context) || exchanged_bytes(kernel, context) > facts.local_bytes)
    return found;
  for (kernel.items = kPortion; kernel.items <= facts.max_work_group; kernel.items += kPortion) {
    if (points_held(kernel) > widest_in_place(kernel.items, context, facts)) break;
    for (const auto twiddles : {Twiddles::product, Twiddles::table, Twiddles::polynomial}) {
      if (context.in_ring(facts) && twiddles == Twiddles::polynomial) continue;
      kernel.twiddles = twiddles;
      kernel.four_step = context.four_steps(facts, kernel::WorkGroup::mapping).front();
      found.push_back(kernel);
    }
  }
  return found;
}

/// Returns variations of a kernel for lines that load the device fully. Radices that keep all
/// work-items busy can be faster than fewer passes, and groups of one warp than larger ones: on an
/// H200, batches of real lines of 256 points take 72 us as 8.8.2 on 16 work-items and 82 as 8.16,
/// those of 96 complex points 130 us on two times 16 and 138 on four times 32 work-items.
void append_busy(const KernelParameters& kernel, const KernelContext& context,
                 const device::Facts& facts, std::vector<KernelParameters>& found) {
  constexpr std::uint64_t kShortest = 3 * kRowItems, kLongest = 1024;
  constexpr unsigned kWidest = 32;  // larger radices have one busy work-item for many points
  const bool line = context.alone() && context.request->axes.empty() && !context.convolves;
  const unsigned widest = *std::max_element(kernel.radices.begin(), kernel.radices.end());
  if (!line || kernel.radices.size() < 2 || kernel.length < kShortest || kernel.length > kLongest ||
      widest > kWidest || device::work_of(context.request->points(), facts) != device::Work::full)
    return;
  for (const unsigned items : std::set{kernel.items, shared_items(kernel.length), kRowItems}) {
    KernelParameters busy{.length = kernel.length,
                          .radices = busy_radices(kernel.length, items, context, facts),
                          .items = items};
    if (busy.radices.size() < 2) continue;
    found.push_back(busy);
    if (items >= facts.simd || facts.simd % items != 0) continue;
    busy.columns = facts.simd / items;
    found.push_back(busy);
  }
  KernelParameters turned = kernel;
  std::reverse(turned.radices.begin(), turned.radices.end());
  for (const unsigned columns : {kernel.columns, std::bit_ceil(kernel.columns)}) {
    turned.columns = columns;
    found.push_back(turned);
  }
}

}  // namespace

std::vector<KernelParameters> vary_work_group(const KernelParameters& kernel,
                                              const KernelContext& context,
                                              const device::Facts& facts) {
  std::vector<KernelParameters> found;
  // The model predicts these kernels less well than the choice does, which is fitted to them.
  if (kernel.exchange == Exchange::in_place) return found;
  if (may_stay_in_place(kernel, context))
    found.push_back({.length = kernel.length, .exchange = Exchange::in_place});
  if (kernel.radices.size() > 1) {
    for (const unsigned items : {kernel.items / 2, kernel.items * 2}) {
      // Other numbers of work-items need other radices and columns.
      if (items != 0) found.push_back({.length = kernel.length, .items = items});
    }
    KernelParameters other = kernel;
    other.exchange =
        kernel.exchange == Exchange::interleaved ? Exchange::split : Exchange::interleaved;
    found.push_back(other);
  }
  // The requests of few work-items take a row of a batch in short pieces.
  const unsigned items = shared_items(kernel.length);
  if (context.alone() && kernel.items < kRowItems && items > 1)
    found.push_back({.length = kernel.length, .items = items});
  append_busy(kernel, context, facts, found);
  // Half a tile of columns has segments of half a cache line. On an H200 that is slower for
  // mirrored columns, and for filters that are fused in them (1024 points forward and back: 147 us
  // instead of 120).
  const bool whole_tile =
      context.mirrored() || (context.convolves && context.only && !context.alone());
  // Segments of 256 bytes are as fast as longer ones.
  const std::size_t segment = kernel.columns * 2 * base::bytes_of(context.request->precision);
  const bool long_enough = !context.alone() && kernel.radices.size() > 1 && segment >= kSegment;
  for (const unsigned columns :
       {whole_tile ? 0 : kernel.columns / 2, long_enough ? 0 : kernel.columns * 2}) {
    KernelParameters other = kernel;
    other.columns = columns;
    if (columns != 0) found.push_back(other);
  }
  return found;
}

std::vector<KernelParameters> choices_of_work_group(const KernelParameters& radices,
                                                    const KernelContext& context,
                                                    const device::Facts& facts) {
  std::vector<KernelParameters> found = choices_in_place(radices, context, facts);
  const bool exchanges = radices.radices.size() > 1;
  const lines::Request& request = *context.request;
  const auto together = request.loops.empty() ? request.batch : request.loops[0].extent;
  for (const unsigned items : item_counts(radices)) {
    for (unsigned columns = 1; items * columns <= std::min(kMostGroup, facts.max_work_group);
         columns *= 2) {
      if (items * columns * 2 <= kLeastGroup) continue;
      // A launch of single transforms takes most of their time, and hides that others would be
      // idle.
      const bool idles = context.alone() && columns >= 2 * together;
      if (idles && items * columns > kLeastGroup) break;
      KernelParameters kernel = radices;
      kernel.items = items;
      kernel.columns = columns;
      for (const auto exchange : {Exchange::interleaved, Exchange::split}) {
        if (!exchanges && exchange == Exchange::split) continue;
        kernel.exchange = exchange;
        if (exchanged_bytes(kernel, context) > facts.local_bytes) continue;
        for (const auto twiddles : {Twiddles::product, Twiddles::table, Twiddles::polynomial}) {
          if (!exchanges && twiddles != Twiddles::product) continue;
          if (context.in_ring(facts) && twiddles == Twiddles::polynomial) continue;
          for (const auto four_step : context.four_steps(facts, kernel::WorkGroup::mapping)) {
            kernel.twiddles = twiddles;
            kernel.four_step = four_step;
            found.push_back(kernel);
          }
        }
      }
    }
  }
  return found;
}

}  // namespace imago::plan
