// This file computes on the host, step by step, what a plan with hooks or a filter does between
// load and store.
#pragma once

#include <vector>

#include "hooks/trial.hpp"
#include "problem/problem.hpp"

namespace imago::test {

/// Returns the transform of one member of the batch.
std::vector<Complex> transformed(const Trial& trial, const problem::Problem& p,
                                 const std::vector<Complex>& x);

/// Transforms, applies the filter's hooks and transforms back.
HostArray filtered(const Trial& trial, const problem::Problem& p, HostArray x);

}  // namespace imago::test
