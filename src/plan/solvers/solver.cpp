// This file returns the planner's algorithms.
#include "plan/solvers/solver.hpp"
#include "base/errors.hpp"

namespace imago::plan {

const Solver& solver_of(Algorithm algorithm) {
  for (const Solver* solver : kSolvers) {
    if (solver->algorithm == algorithm) return *solver;
  }
  base::internal_error("no solver for this algorithm");
}

}  // namespace imago::plan
