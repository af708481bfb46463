// This file checks the hooks of a Transform or a filter and finds the memory that they leave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/computation.hpp"
#include "problem/problem.hpp"

namespace imago::problem {

/// Checks the hooks of one end of a direction and finds its memory; throws InvalidArgument with the
/// field ("on_forward.load[0].axis"), Unsupported in place for what moves elements or changes their
/// size.
HookedEnd make_hooked_end(const Computation& computation, const Problem& problem, bool inverse,
                          bool store);

/// Checks the hooks of a filter's spectrum; throws as make_hooked_end.
HookedEnd make_filter(const Computation& filter, const Problem& problem);

}  // namespace imago::problem
