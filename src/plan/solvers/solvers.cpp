// This file lists the planner's algorithms.
#include "base/errors.hpp"
#include "plan/solvers/solver.hpp"

namespace imago::plan {

const std::vector<const Solver*>& solvers() {
  static const std::vector<const Solver*> all{
      &kSingle, &kHierarchy, &kRader, &kBluestein,
      &kGlobal,  // never preferred: one trip through global memory per radix
  };
  return all;
}

const Solver& solver_of(Algorithm algorithm) {
  for (const Solver* solver : solvers()) {
    if (solver->algorithm == algorithm) return *solver;
  }
  base::internal_error("no solver for this algorithm");
}

}  // namespace imago::plan
