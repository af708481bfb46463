// This file converts the hooks of a problem into those of steps.
#pragma once

#include <optional>

#include "kernel/hooks.hpp"
#include "problem/problem.hpp"

namespace imago::lines {

/// Returns the hooks at one end of a direction, if it has any.
std::optional<kernel::Hooked> hooked_end(const problem::Problem& problem, bool inverse, bool store);
/// Returns the hooks of a filter's spectrum, if the problem is a filter. The spectrum has no places
/// in memory.
std::optional<kernel::Hooked> filter_hooks(const problem::Problem& problem);

}  // namespace imago::lines
