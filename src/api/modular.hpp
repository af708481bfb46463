// This file describes transforms of residues to the planner.
#pragma once

#include <vector>

#include <imago/exact.hpp>

#include "api/arguments.hpp"
#include "problem/computation.hpp"
#include "runtime/opencl.hpp"

namespace imago::modular {

/// Throws InvalidArgument for lengths and cosets that the ring does not have.
void check_transform(const ModularTransform& t);

/// Returns one direction of a transform, in natural order.
problem::Computation computation(const ModularTransform& t, bool inverse);

/// Returns the factors of a coset: an argument of the computation, or none for the coset 1.
std::vector<Argument> coset_factors(cl_context context, const ModularTransform& t, bool inverse);

}  // namespace imago::modular
