// This file computes on the host, one step after the other, what a plan with hooks or a filter does
// between its ends.
#pragma once

#include <vector>

#include "hooks/trial.hpp"
#include "problem/problem.hpp"

namespace imago::test {

/// The transform of one member of the batch.
std::vector<Complex> transformed(const Trial& trial, const problem::Problem& p,
                                 const std::vector<Complex>& x);

/// There, through the filter's hooks, and back.
HostArray filtered(const Trial& trial, const problem::Problem& p, HostArray x);

}  // namespace imago::test
