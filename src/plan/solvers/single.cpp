// This file is the single-kernel algorithm: a transform that fits one work-group or one work-item
// is read once and written once (Govindaraju et al., IV.B).
#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/solvers/solver.hpp"
#include "plan/work_group/defaults.hpp"

namespace imago::plan {
namespace {

bool applicable(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  if (request.axes.size() > 1 || (request.joins_points() && mapping == Mapping::vector))
    return true;
  if (!kernel::has_radices(request.length)) return false;
  if (request.length > lines::largest_line(request, mapping, facts)) return false;
  if (mapping == Mapping::work_group && !request.adjacent() &&
      request.length > lines::largest_single(mapping, request.precision, facts) &&
      !fits_registers(request, facts))
    return false;
  // One work-item per transform leaves a CPU's cores idle when there are few long ones.
  const bool few =
      mapping == Mapping::vector && request.batch * request.lines() < facts.compute_units;
  return !few || request.length < 16384;
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
