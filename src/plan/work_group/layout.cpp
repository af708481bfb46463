// This file lays out the steps of the work-group mapping.
#include "plan/work_group/layout.hpp"

#include "base/integers.hpp"
#include "base/text.hpp"
#include "plan/work_group/padding.hpp"
#include "plan/work_group/reordered_axes.hpp"
#include "plan/work_group/transfers.hpp"

namespace imago::plan {
namespace {

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

/// Copies blocks through local memory for odd lengths of one pass, whose transforms are in
/// different banks.
void stage(kernel::Step& step, const lines::Request& request, const device::Facts& facts) {
  const bool plain = step.bare() && !step.convolution.is_any();
  const bool short_odd = step.passes.size() == 1 && step.length % 2 == 1 && step.length > 1;
  const bool packed = step.columns.empty() && !step.in.planar && !step.out.planar &&
                      step.in.stride == 1 && step.out.stride == 1 &&
                      request.in.distance == request.length &&
                      request.out.distance == request.length;
  kernel::WorkGroup& group = step.group();
  if (!plain || !short_odd || !packed || group.items != 1 || step.tile < 2) return;
  const kernel::WorkGroup before = group;
  group.staged = true, group.exchange = Exchange::interleaved;
  if (step.local_bytes() > facts.local_bytes) group = before;
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
  choose_padding(step, facts.simd, facts.local_bytes);
}

std::uint64_t tiles_of_work_group(const kernel::Step& step, std::uint64_t batch) {
  if (step.columns.empty()) return base::ceil_divide(batch, step.tile);
  return batch * base::ceil_divide(step.place_count(), step.tile);
}

std::string describe_work_group(const kernel::Step& step) {
  return base::counted(step.group().items, "work-item") + " x " +
         base::counted(step.tile, "transform") + " per group, " +
         std::to_string(step.local_bytes()) + " bytes of local memory";
}

}  // namespace imago::plan
