// This file is the global-memory Stockham algorithm: one kernel per radix, every pass through
// global memory (Govindaraju et al., IV.A). It is there to be forced and measured.
#include "plan/radices.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {
namespace {

bool applicable(const Request& request, Mapping mapping, const device::Facts&) {
  if (request.axes.size() > 1 || (request.joins_points() && mapping == Mapping::vector))
    return false;
  return has_radices(request.length);
}

std::vector<std::uint64_t> lengths(const Request& request, Mapping, const device::Facts&) {
  // As few passes as radices up to 16 allow, even ones rather than a large one and a small one.
  const Factorisation found =
      cheapest(request.length, all_radices(),
               [](std::uint64_t, unsigned radix) { return radix > 16 ? 1e9 : 100.0 + radix; });
  return {found.radices.begin(), found.radices.end()};
}

}  // namespace

const Solver kGlobal{Algorithm::global, "global", applicable, lengths};

}  // namespace imago::plan
