// This file checks the hooks of a Transform or a filter, and finds the memory that they access.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/computation.hpp"
#include "problem/problem.hpp"

namespace imago::problem {

/// Checks the hooks of one end of a direction, and finds its memory. Throws InvalidArgument with
/// the field ("on_forward.load[0].axis"). In place, throws Unsupported for hooks that move elements
/// or change their size.
HookedEnd make_hooked_end(const Computation& computation, const Problem& problem, bool inverse,
                          bool store);

/// Checks the hooks of a filter's spectrum. Throws as make_hooked_end().
HookedEnd make_filter(const Computation& filter, const Problem& problem);

}  // namespace imago::problem
