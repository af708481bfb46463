// This file finds the axes of a kernel whose elements are reordered in local memory.
#include "plan/work_group/reordered_axes.hpp"

#include <algorithm>
#include <vector>

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

}  // namespace

void reorder_axes(kernel::Step& step, const lines::Request& request, const Parameters& parameters) {
  const bool whole = parameters.kernels.size() == 1 && !request.turns(parameters);
  if (!whole || !request.reorders()) return;
  step.group().axes = reordered_axes(request, step.passes);
  step.in.edge = step.out.edge = kernel::NoEdge{};
}

void couple_partners(kernel::Step& step) {
  for (const kernel::ReorderedAxis& axis : step.group().axes) {
    kernel::Pass& pass = step.passes[axis.joining_pass()];
    if (!axis.alone()) couple(pass, step, axis.points / pass.radix);
  }
  kernel::Pass& last = step.passes.back();
  if (step.at_store().joins && step.length == step.line && step.passes.size() > 1)
    couple(last, step, last.done);
}

void reverse_odd_columns(kernel::Step& step) {
  if (!step.mirrors(kernel::Mirror::elements)) return;
  kernel::Pass& pass = step.at_load().numbered ? step.passes.front() : step.passes.back();
  pass.reversed = step.length / pass.radix % step.group().items == 0;
}

}  // namespace imago::plan
