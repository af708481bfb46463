// This file checks a Transform or a FilterShape and fills in its defaults.
#pragma once

#include "problem/computation.hpp"
#include "problem/problem.hpp"

namespace imago::problem {

/// Throws InvalidArgument for what no library could compute, Unsupported for what imago cannot yet.
Problem make_problem(const Computation& computation);

}  // namespace imago::problem
