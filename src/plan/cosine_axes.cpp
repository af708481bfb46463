// This file finds the cosine axes of a kernel that arranges their elements in local memory.
#include "plan/cosine_axes.hpp"

#include <algorithm>
#include <vector>

#include "plan/convolution.hpp"

namespace imago::plan {
namespace {

std::vector<CosineAxis> cosine_axes(const Request& request, const std::vector<Pass>& passes) {
  const bool one = request.axis_cosines.empty();
  std::vector<CosineAxis> axes;
  std::uint64_t outer = 1;
  for (const Cosines& cosines : one ? std::vector{request.cosines} : request.axis_cosines) {
    CosineAxis axis{cosines, request.length / (outer * cosines.elements)};
    const auto mine = [&](const Pass& pass) { return pass.outer == outer; };
    const auto first = std::find_if(passes.begin(), passes.end(), mine);
    const auto end = std::find_if_not(first, passes.end(), mine);
    axis.first = static_cast<std::size_t>(first - passes.begin());
    axis.last = static_cast<std::size_t>(end - passes.begin()) - 1;
    axes.push_back(axis);
    outer *= cosines.elements;
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

void arrange_cosines(Step& step, const Request& request, const Parameters& parameters) {
  const bool whole = parameters.kernels.size() == 1 && !is_convolution(parameters.algorithm);
  if (parameters.mapping != Mapping::work_group || !whole || !request.arranges()) return;
  step.group().axes = cosine_axes(request, step.passes);
  step.cosines = {};
}

void couple_images(Step& step) {
  for (const CosineAxis& axis : step.group().axes) {
    Pass& pass = step.passes[axis.joining_pass()];
    if (!axis.alone()) couple(pass, step, axis.cosines.elements / pass.radix);
  }
  Pass& last = step.passes.back();
  if (step.stores_partners() && step.length == step.line && step.passes.size() > 1)
    couple(last, step, last.done);
}

void weave_elements(Step& step) {
  if (!step.mirrors(Mirror::elements)) return;
  Pass& pass = step.cosines.load ? step.passes.front() : step.passes.back();
  pass.reversed = step.length / pass.radix % step.group().items == 0;
}

}  // namespace imago::plan
