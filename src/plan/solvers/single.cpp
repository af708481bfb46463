// This file implements the single-kernel algorithm: a transform that fits into one work-group or
// one work-item is read once and written once (Govindaraju et al., IV.B).
#include "lines/largest.hpp"
#include "plan/mapping_rules.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  if (!request.can_be_split(mapping)) return true;
  if (!suits_passes(request, mapping, facts)) return false;
  if (request.length > lines::largest_line(request, mapping, facts)) return false;
  return rules_of(mapping).suits_one_kernel(request, facts);
}

std::vector<std::uint64_t> lengths(const lines::Request& request, Mapping, const device::Facts&) {
  return {request.length};
}

}  // namespace

bool one_kernel_convolves(const lines::Request& convolved, Mapping mapping,
                          const device::Facts& facts) {
  return (convolved.axes.size() > 1 ||
          convolved.length <= lines::largest_single(mapping, convolved.precision, facts)) &&
         kSingle.applicable(convolved, mapping, facts);
}

const Solver kSingle{Algorithm::single, "single", applicable, lengths};

}  // namespace imago::plan
