// This file decides which values of a work-group pass through local memory at load and at store.
#include "plan/work_group/transfers.hpp"

#include <algorithm>

namespace imago::plan {
namespace {

constexpr unsigned kRun = 32;  // real numbers per cache line of 128 bytes

/// Returns true if the first points of adjacent work-items are adjacent in memory.
bool loads_in_order(const kernel::Step& step) {
  const kernel::Pass& first = step.passes.front();
  return first.columns_fastest || (step.group().items >= kRun && first.left >= kRun / 2);
}

bool reorders_at_load(const kernel::Step& step) {
  const auto joins = [&](const kernel::ReorderedAxis& axis) {
    return axis.first == 0 && axis.joins_at_load() && !axis.alone() &&
           step.passes.front().coupled == 0;
  };
  const auto& axes = step.group().axes;
  return step.reorders() &&
         (!step.group().loads_in_order || std::any_of(axes.begin(), axes.end(), joins));
}

bool reorders_at_store(const kernel::Step& step) {
  const kernel::Pass& last = step.passes.back();
  const auto moves = [&](const kernel::ReorderedAxis& axis) {
    return axis.last + 1 == step.passes.size() && !axis.alone() &&
           (axis.joins_at_load() || last.coupled == 0);
  };
  const std::uint64_t neighbours = last.left > 1      ? last.left
                                   : last.coupled > 0 ? last.coupled / 2
                                                      : last.done;
  const bool in_order =
      last.columns_fastest || std::min<std::uint64_t>(neighbours, step.group().items) >= kRun;
  const auto& axes = step.group().axes;
  return step.reorders() && (!in_order || std::any_of(axes.begin(), axes.end(), moves));
}

/// Returns the run of work-items that store adjacent elements, if every second element belongs to
/// the second half of the points, in reverse. Half of a run stores elements of the first half, the
/// other half those of the second. Each half of the run reads adjacent points, from different
/// banks, and together they store adjacent elements.
unsigned store_run(const kernel::Step& step) {
  if (!step.reorders() || step.passes.back().columns_fastest) return 0;
  const kernel::ReorderedAxis& fastest = step.group().axes.back();
  const bool unfolds = fastest.joins_at_load() && !fastest.alone();
  const bool in_runs = step.length % kRun == 0 && step.work_group_size() % kRun == 0;
  return unfolds && in_runs ? kRun : 0;
}

/// Moves real numbers that are adjacent in memory as pairs, unless a work-item's load finds both
/// parts of its points directly.
void pair_neighbours(kernel::Step& step) {
  const kernel::ReorderedAxis* const axis = step.halved_axis();
  if (!axis) return;
  const bool at_once = step.group().loads_in_order && axis->first == 0 && !axis->alone();
  if (!axis->joins_at_load() && at_once) return;
  kernel::Side& side = axis->joins_at_load() ? step.out : step.in;
  side.elements = kernel::Elements::pairs;
  side.pair_stride = side.stride;
  side.stride *= 2;
}

}  // namespace

void choose_transfers(kernel::Step& step) {
  kernel::WorkGroup& group = step.group();
  group.loads_in_order = loads_in_order(step);
  group.reorders_at_load = reorders_at_load(step);
  group.reorders_at_store = reorders_at_store(step);
  group.store_run = store_run(step);
  group.fetches_partners_at_load = step.at_load().numbered && step.mirrors(kernel::Mirror::points);
  group.fetches_partners_at_store = step.at_store().joins && step.passes.back().coupled == 0 &&
                                    (step.passes.size() > 1 || step.mirrored());
  pair_neighbours(step);
}

}  // namespace imago::plan
