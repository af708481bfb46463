// This file resolves the hooks of a problem for steps.
#pragma once

#include <optional>

#include "kernel/hooks.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

/// The hooks at one end of a direction, if it has any.
std::optional<kernel::Hooked> hooked_end(const problem::Problem& problem, bool inverse, bool store);
/// Those of a filter's spectrum, if it is one. Its memory has no places.
std::optional<kernel::Hooked> hooked_turn(const problem::Problem& problem);

}  // namespace imago::lines
