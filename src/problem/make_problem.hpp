// This file checks a Transform and fills in its defaults.
#pragma once

#include "problem/problem.hpp"

namespace imago::problem {

/// Throws InvalidArgument for what no library could compute, Unsupported for what imago cannot yet.
Problem make_problem(const Transform& transform);

}  // namespace imago::problem
