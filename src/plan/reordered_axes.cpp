// This file finds the axes of a kernel whose elements are reordered in local memory.
#include "plan/reordered_axes.hpp"

#include <algorithm>
#include <vector>

namespace imago::plan {
namespace {

std::vector<ReorderedAxis> reordered_axes(const Request& request, const std::vector<Pass>& passes) {
  const bool one = request.axis_edges.empty();
  const auto edges = one ? std::vector{request.in.edge} : request.axis_edges;
  std::vector<ReorderedAxis> axes;
  std::uint64_t outer = 1;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint64_t points = one ? request.length : request.axes[i];
    ReorderedAxis axis{edges[i], points, request.length / (outer * points)};
    const auto mine = [&](const Pass& pass) { return pass.outer == outer; };
    const auto first = std::find_if(passes.begin(), passes.end(), mine);
    const auto end = std::find_if_not(first, passes.end(), mine);
    axis.first = static_cast<std::size_t>(first - passes.begin());
    axis.last = static_cast<std::size_t>(end - passes.begin()) - 1;
    axes.push_back(axis);
    outer *= points;
  }
  return axes;
}

/// Lets work-items take the butterflies of a pass in couples, those of the digits k and `digits` -
/// k, where their numbers allow.
void couple(Pass& pass, const Step& step, std::uint64_t digits) {
  const std::uint64_t butterflies = step.length / pass.radix;
  if (digits % 2 == 0 && butterflies % (2 * std::uint64_t{step.group().items}) == 0)
    pass.coupled = digits;
}

}  // namespace

void reorder_axes(Step& step, const Request& request, const Parameters& parameters) {
  const bool whole = parameters.kernels.size() == 1 && !request.turns(parameters);
  if (parameters.mapping != Mapping::work_group || !whole || !request.reorders()) return;
  step.group().axes = reordered_axes(request, step.passes);
  step.in.edge = step.out.edge = NoEdge{};
}

void couple_partners(Step& step) {
  for (const ReorderedAxis& axis : step.group().axes) {
    Pass& pass = step.passes[axis.joining_pass()];
    if (!axis.alone()) couple(pass, step, axis.points / pass.radix);
  }
  Pass& last = step.passes.back();
  if (step.at_store().joins && step.length == step.line && step.passes.size() > 1)
    couple(last, step, last.done);
}

void reverse_odd_columns(Step& step) {
  if (!step.mirrors(Mirror::elements)) return;
  Pass& pass = step.at_load().numbered ? step.passes.front() : step.passes.back();
  pass.reversed = step.length / pass.radix % step.group().items == 0;
}

}  // namespace imago::plan
