// This file computes the place of a kernel in its line.
#include "plan/kernel_context.hpp"

namespace imago::plan {
namespace {

/// Returns the number of adjacent columns in memory for a kernel of a larger transform.
std::uint64_t neighbours_of(const std::vector<KernelParameters>& kernels, std::size_t i) {
  std::uint64_t before = 1, after = 1;
  for (std::size_t j = 0; j < i; ++j) before *= kernels[j].length;
  for (std::size_t j = i + 1; j < kernels.size(); ++j) after *= kernels[j].length;
  return i == 0 ? after : before;
}

}  // namespace

bool KernelContext::packed() const {
  const lines::Request& r = *request;
  return r.loops.empty() && r.in.stride == 1 && r.out.stride == 1 && r.in.distance == r.length &&
         r.out.distance == r.length;
}

std::vector<kernel::AxisPlace> KernelContext::axes(std::uint64_t length) const {
  return only && !request->axes.empty()
             ? kernel::in_pass_order(request->axes, request->axis_order())
             : kernel::in_pass_order({length});
}

std::vector<Twiddles> KernelContext::four_steps(const device::Facts& facts, Mapping mapping) const {
  if (in_ring(facts)) return {Twiddles::table};
  if (!twiddled()) return {Twiddles::product};
  if (mapping == kernel::WorkGroup::mapping && in_pairs(facts)) return {Twiddles::table};
  return {Twiddles::product, Twiddles::polynomial};
}

KernelContext context_of(const lines::Request& request, const Parameters& p, std::size_t i) {
  KernelContext context{&request, i, p.kernels.size() == 1, request.turns(p), request.mirror(p, i)};
  context.neighbours = request.adjacent()      ? request.loops[0].extent
                       : !context.only         ? neighbours_of(p.kernels, i)
                       : request.loops.empty() ? request.batch
                                               : request.loops[0].extent;
  return context;
}

}  // namespace imago::plan
