// This file returns the planner's algorithms.
#include "plan/solvers/solver.hpp"

#include "base/errors.hpp"
#include "kernel/radices.hpp"
#include "lines/largest.hpp"
#include "plan/mapping_rules.hpp"

namespace imago::plan {

const Solver& solver_of(Algorithm algorithm) {
  for (const Solver* solver : kSolvers) {
    if (solver->algorithm == algorithm) return *solver;
  }
  base::internal_error("no solver for this algorithm");
}

bool suits_passes(const lines::Request& request, Mapping mapping, const device::Facts& facts) {
  const std::uint64_t large = kernel::without_radices(request.length);
  return lines::has_radices(request.length, mapping, request.precision, facts) &&
         (large == 1 || request.length >= rules_of(mapping).least_multiple * large);
}

}  // namespace imago::plan
