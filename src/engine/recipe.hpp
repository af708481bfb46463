// This file makes the recipe of a plan, and a plan's parts of a recipe (Options::recipe).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "engine/blueprint.hpp"
#include "problem/problem.hpp"
#include "profile/recipe.hpp"

namespace imago::engine {

/// What Plan::recipe() is the text of.
profile::Recipe recipe_of(const Blueprint& blueprint);

/// What Options::recipe holds; nothing where there is none. Throws InvalidArgument where it is no
/// recipe, or not one of this problem, and for options that it leaves nothing to.
std::optional<profile::Recipe> recipe_for(const problem::Problem& problem, const Options& options);

/// What a recipe's part is made for.
struct Members {
  const problem::Problem& problem;  ///< whose batch is what is left
  bool inverse;
  const device::Facts& facts;
};
/// The lines of a part of the recipe, for as many members as it says. Throws InvalidArgument where
/// there is no such part, and where it is not legal.
Direction follow(const profile::RecipeDirection& recipe, std::size_t part, const Members& members);

/// Throws InvalidArgument where the recipe holds other choices than those that were made,
/// Unsupported where the same choices have become other kernels.
void check_followed(const profile::Recipe& recipe, const Blueprint& blueprint);

}  // namespace imago::engine
