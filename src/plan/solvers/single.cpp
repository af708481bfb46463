// This file is the single-kernel algorithm: a transform that fits one work-group or one work-item
// is read once and written once (Govindaraju et al., IV.B).
#include "plan/largest.hpp"
#include "plan/radices.hpp"
#include "plan/solvers/solver.hpp"
#include "plan/work_group_defaults.hpp"

namespace imago::plan {
namespace {

bool applicable(const Request& request, Mapping mapping, const device::Facts& facts) {
  if (request.axes.size() > 1 || (request.joins_points() && mapping == Mapping::vector))
    return true;
  if (!has_radices(request.length)) return false;
  if (request.length > largest_line(request, mapping, facts)) return false;
  if (mapping == Mapping::work_group && !request.adjacent() &&
      request.length > largest_single(mapping, request.precision, facts) &&
      !fits_registers(request, facts))
    return false;
  // One work-item per transform leaves a CPU's cores idle when there are few long ones.
  const bool few =
      mapping == Mapping::vector && request.batch * request.lines() < facts.compute_units;
  return !few || request.length < 16384;
}

std::vector<std::uint64_t> lengths(const Request& request, Mapping, const device::Facts&) {
  return {request.length};
}

}  // namespace

bool one_kernel_convolves(const Request& convolved, Mapping mapping, const device::Facts& facts) {
  return (convolved.axes.size() > 1 ||
          convolved.length <= largest_single(mapping, convolved.precision, facts)) &&
         kSingle.applicable(convolved, mapping, facts);
}

const Solver kSingle{Algorithm::single, "single", applicable, lengths};

}  // namespace imago::plan
