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

}  // namespace imago::problem
