// This file lists the possible parameters of a kernel in the work-group mapping.
#include "plan/work_group/choices.hpp"

#include <algorithm>
#include <set>

#include "base/integers.hpp"
#include "lines/largest.hpp"
#include "plan/work_group/legality.hpp"

namespace imago::plan {
namespace {

constexpr unsigned kLeastGroup = 32, kMostGroup = 1024;
constexpr unsigned kFewItems = 16;  // they take 128 bytes of an f32 row, a cache line

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

}  // namespace

std::vector<KernelParameters> vary_work_group(const KernelParameters& kernel,
                                              const KernelContext& context) {
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
  if (context.alone() && kernel.items < kFewItems && items > 1)
    found.push_back({.length = kernel.length, .items = items});
  // Half a tile of columns has segments of half a cache line. On an H200 that is slower for
  // mirrored columns, and for filters that are fused in them (1024 points forward and back: 147 us
  // instead of 120).
  const bool whole_tile =
      context.mirrored() || (context.convolves && context.only && !context.alone());
  for (const unsigned columns : {whole_tile ? 0 : kernel.columns / 2, kernel.columns * 2}) {
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
