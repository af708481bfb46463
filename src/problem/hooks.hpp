// This file checks the hooks of a Transform and says what they make of its memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "problem/problem.hpp"

namespace imago::problem {

/// Checks the hooks of one end of a direction and finds its memory; throws InvalidArgument with the
/// field ("on_forward.load[0].axis"), Unsupported in place for what moves elements or changes their
/// size.
HookedEnd make_hooked_end(const Transform& transform, const Problem& problem, bool inverse,
                          bool store);

/// Checks Transform::filter, of the forward direction; throws as make_hooked_end.
HookedEnd make_filter(const Transform& transform, const Problem& problem);

}  // namespace imago::problem
