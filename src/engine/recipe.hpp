// This file makes the recipe of a plan, and the parts of a plan from a recipe (Options::recipe).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "engine/blueprint.hpp"
#include "problem/problem.hpp"
#include "profile/recipe.hpp"

namespace imago::engine {

/// Returns the recipe of a plan; Plan::recipe() is its text.
profile::Recipe recipe_of(const Blueprint& blueprint);

/// Returns the recipe in Options::recipe; nothing if there is none. Throws InvalidArgument for text
/// that is no recipe, for the recipe of another problem, and for options that contradict it.
std::optional<profile::Recipe> recipe_for(const problem::Problem& problem, const Options& options);

/// Returns the arithmetic of f64 in a recipe's plan. Throws InvalidArgument for text that is no
/// recipe.
F64 f64_of_recipe(const std::string& text);

/// The batch elements that are still to be planned.
struct Members {
  const problem::Problem& problem;  ///< the problem; its batch counts only these elements
  bool inverse;
  const device::Facts& facts;
};
/// Returns the lines of a part of the recipe, not yet joined to one program, for the number of
/// batch elements that the part specifies. Throws InvalidArgument if the part does not exist or is
/// not legal.
Direction follow(const profile::RecipeDirection& recipe, std::size_t part, const Members& members);

/// Throws InvalidArgument if the plan's choices differ from the recipe's, and Unsupported if the
/// same choices generate other kernels.
void check_followed(const profile::Recipe& recipe, const Blueprint& blueprint);

}  // namespace imago::engine
