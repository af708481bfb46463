// This file checks a Transform or a FilterShape and fills in its defaults.
#pragma once

#include "problem/computation.hpp"
#include "problem/problem.hpp"

namespace imago::problem {

/// Returns the checked problem. Throws InvalidArgument for a description that is wrong, and
/// Unsupported for a limit of imago.
Problem make_problem(const Computation& computation);

}  // namespace imago::problem
