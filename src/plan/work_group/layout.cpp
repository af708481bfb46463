// This file lays out the steps of the work-group mapping.
#include "plan/work_group/layout.hpp"

#include <algorithm>
#include <vector>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "kernel/bank_conflicts.hpp"

namespace imago::plan {
namespace {

std::vector<kernel::ReorderedAxis> reordered_axes(const lines::Request& request,
                                                  const std::vector<kernel::Pass>& passes) {
  const bool one = request.axis_edges.empty();
  const auto edges = one ? std::vector{request.in.edge} : request.axis_edges;
  std::vector<kernel::ReorderedAxis> axes;
  std::uint64_t outer = 1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint64_t points = one ? request.length : request.axes[i];
    kernel::ReorderedAxis axis{edges[i], points, request.length / (outer * points)};
    const auto mine = [&](const kernel::Pass& pass) { return pass.outer == outer; };
    const auto first = std::find_if(passes.begin(), passes.end(), mine);
    const auto end = std::find_if_not(first, passes.end(), mine);
    axis.first = static_cast<std::size_t>(first - passes.begin());
    axis.last = static_cast<std::size_t>(end - passes.begin()) - 1;
    axes.push_back(axis);
    outer *= points;
  }
  return axes;
}

/// Pairs the butterflies of a pass, those of the digits k and `digits` - k, in each work-item, if
/// their numbers allow it.
void couple(kernel::Pass& pass, const kernel::Step& step, std::uint64_t digits) {
  const std::uint64_t butterflies = step.length / pass.radix;
  if (digits % 2 == 0 && butterflies % (2 * std::uint64_t{step.group().items}) == 0)
    pass.coupled = digits;
}

/// Sets the reordered axes of a step if it is the line's only kernel and the line needs them: their
/// elements are reordered in local memory.
void reorder_axes(kernel::Step& step, const lines::Request& request, const Parameters& parameters) {
  const bool whole = parameters.kernels.size() == 1 && !request.turns(parameters);
  if (!whole || !request.reorders()) return;
  step.group().axes = reordered_axes(request, step.passes);
  step.in.edge = step.out.edge = kernel::NoEdge{};
}

/// Makes work-items hold points together with their partners (Pass::coupled), next to the pass that
/// joins them, if the numbers of butterflies allow it. This saves an exchange.
void couple_partners(kernel::Step& step) {
  for (const kernel::ReorderedAxis& axis : step.group().axes) {
    kernel::Pass& pass = step.passes[axis.joining_pass()];
    if (!axis.alone()) couple(pass, step, axis.points / pass.radix);
  }
  kernel::Pass& last = step.passes.back();
  if (step.at_store().joins && step.length == step.line && step.passes.size() > 1)
    couple(last, step, last.done);
}

/// Makes adjacent work-items move adjacent elements of mirrored columns (Pass::reversed), if no
/// work-item is idle.
void reverse_odd_columns(kernel::Step& step) {
  if (!step.mirrors(kernel::Mirror::elements)) return;
  kernel::Pass& pass = step.at_load().numbered ? step.passes.front() : step.passes.back();
  pass.reversed = step.length / pass.radix % step.group().items == 0;
}

/// Makes adjacent work-items process adjacent columns if these are adjacent in memory. The first
/// pass of the inverse uses the order of the pass before.
void choose_item_order(kernel::Step& step) {
  if (step.columns.empty()) return;
  const kernel::Column& closest = step.columns[0];
  for (std::size_t i = 0; i < step.passes.size(); ++i) {
    const bool loads = i <= step.convolution.passes_forth;
    const bool adjacent = loads ? closest.in.stride == 1 : closest.out.stride == 1;
    const std::uint64_t stride = loads ? step.in.stride : step.out.stride;
    step.passes[i].columns_fastest = adjacent || stride != 1;
  }
}

/// Copies blocks of rows through local memory, if a work-item has a whole row. Rows of a power of
/// two take more work-items, which move adjacent elements, except those whose radix is fixed.
void stage(kernel::Step& step, const lines::Request& request, const device::Facts& facts) {
  const bool plain = step.bare() && !step.convolution.is_any();
  const bool whole =
      step.passes.size() == 1 && (request.reproducible || !base::is_power_of_two(step.length));
  const bool packed = step.columns.empty() && !step.in.planar && !step.out.planar &&
                      step.in.stride == 1 && step.out.stride == 1 &&
                      request.in.distance == request.length &&
                      request.out.distance == request.length;
  kernel::WorkGroup& group = step.group();
  if (!plain || !whole || !packed || group.items != 1 || step.tile < 2) return;
  const kernel::WorkGroup before = group;
  group.staged = true, group.exchange = Exchange::interleaved;
  // Rows at an odd distance are in different banks.
  group.column_pad = step.length % 2 == 0 && facts.compute_unit.bank_conflicts ? 1 : 0;
  if (step.local_bytes() > facts.local_bytes) group = before;
}

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

/// Decides which values pass through local memory between global memory and the passes: sets the
/// fields of kernel::WorkGroup that describe the load and the store of a step, whose passes,
/// columns, items and axes must be set.
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

/// Returns the paddings that choose_padding() compares. Those of points that stay in place are
/// weights of their digits (kernel::in_place()).
std::vector<unsigned> paddings(const kernel::Step& step) {
  if (step.group().exchange != Exchange::in_place) return {0, 32, 16, 8};
  std::vector<unsigned> found{0};
  for (const kernel::Pass& pass : step.passes)
    if (pass.left > 1) found.push_back(static_cast<unsigned>(pass.left));
  return found;
}

/// Sets padding and column_pad of a work-group step to the pair with the fewest local-memory
/// cycles, as long as the step stays within the device's local memory.
void choose_padding(kernel::Step& step, const device::Facts& facts) {
  if (step.group().staged) return;
  step.group().padding = step.group().column_pad = 0;
  if (step.local_bytes() == 0 || !facts.compute_unit.bank_conflicts) return;
  kernel::Step best = step;
  const kernel::BankConflicts conflicts(step, facts.simd);
  const kernel::Cycles without = conflicts.cycles(step);
  if (!without.conflicts) return;
  std::uint64_t least = without.counted;
  for (const unsigned padding : paddings(step)) {
    for (const unsigned column_pad : {0u, 1u, 2u, 4u, 8u, 16u}) {
      if (column_pad != 0 && step.tile == 1) continue;
      if (padding >= step.length) continue;
      step.group().padding = padding, step.group().column_pad = column_pad;
      if (step.local_bytes() > facts.local_bytes) continue;
      const kernel::Cycles cycles = conflicts.cycles(step, least);
      if (cycles.counted < least && !cycles.conflicts) return;
      if (cycles.counted < least) least = cycles.counted, best = step;
    }
  }
  step = best;
}

/// Returns true if a fence after the loads makes a kernel faster with a compiler that moves loads.
/// All kinds of kernels were measured on an H200, some lengths of each (docs/measured/h200.md,
/// "Loads together"): powers of two of f32 and of other primes are slower with it.
bool gains_from_fence(const kernel::Step& step, const lines::Request& request,
                      const device::Facts& facts) {
  constexpr std::uint64_t kShort = 2048, kLong = 16384;
  const kernel::WorkGroup& group = step.group();
  const bool plain = step.bare() && !step.convolution.is_any() && !step.mirrored() &&
                     !group.staged && !step.pairs && step.ring == base::Ring::none &&
                     group.exchange != Exchange::in_place;
  // Without an exchange, a column may be stored before idle work-items load it.
  if (!facts.compute_unit.moves_loads || !plain || step.passes.size() < 2) return false;
  const bool wide = step.precision == Precision::f64;
  if (step.four_step.order != 0) return wide || !base::is_power_of_two(step.four_step.order);
  const bool line = step.columns.empty() && request.axes.empty();
  if (!line || wide || step.length <= kShort || step.length > kLong) return false;
  const auto primes = base::prime_factors(step.length);
  return primes.front() != primes.back();
}

}  // namespace

void lay_out_work_group(kernel::Step& step, const lines::Request& request,
                        const Parameters& parameters, std::size_t kernel,
                        const device::Facts& facts) {
  const KernelParameters& chosen = parameters.kernels[kernel];
  reorder_axes(step, request, parameters);
  choose_item_order(step);
  step.group().items = chosen.items;
  step.tile = chosen.columns;
  step.group().exchange = chosen.exchange;
  stage(step, request, facts);
  couple_partners(step);
  reverse_odd_columns(step);
  choose_transfers(step);
  choose_padding(step, facts);
  step.group().loads_together = gains_from_fence(step, request, facts);
}

std::uint64_t tiles_of_work_group(const kernel::Step& step, std::uint64_t batch) {
  if (step.columns.empty()) return base::ceil_divide(batch, step.tile);
  return batch * base::ceil_divide(step.place_count(), step.tile);
}

std::string describe_work_group(const kernel::Step& step) {
  return base::counted(step.group().items, "work-item") + " x " +
         base::counted(step.tile, "transform") + " per group, " +
         std::to_string(step.local_bytes()) + " bytes of local memory" +
         (step.group().exchange == Exchange::in_place ? ", points in place" : "");
}

}  // namespace imago::plan
