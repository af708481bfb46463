// This file makes recipes and follows them. Choices that a recipe does not contain follow from the
// transform and the device. Digests of the kernels' code verify that the plan is the same.
#include "engine/recipe.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "engine/composition.hpp"
#include "lines/chunks.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "plan/planner.hpp"
#include "profile/json_tree.hpp"

namespace imago::engine {
namespace {

constexpr std::size_t kDigits = 16;  ///< number of digits in a digest of code
constexpr const char* kOption = "options.recipe";

const char* pointer_to(bool inverse) { return inverse ? "/inverse" : "/forward"; }

[[noreturn]] void illegal(const std::string& pointer, const std::string& why) {
  base::invalid(kOption, "not possible here", pointer + ": " + why);
}

profile::RecipePart part_of(const Direction& direction) {
  profile::RecipePart part{direction.chunk, direction.cut.mapping, direction.cut.algorithm, {}};
  for (const Line& line : direction.lines) {
    part.lines.push_back(line.parameters);
    part.lines.back().launches = Launches::automatic;  // the direction's launches are used
  }
  return part;
}

std::string code_of(const Kernel& kernel) {
  return base::Hasher()
      .field(anonymous_source(kernel))
      .field(kernel.options)
      .digest()
      .hex()
      .substr(0, kDigits);
}

profile::RecipeDirection recipe_of(const Direction& direction, const Blueprint& blueprint) {
  profile::RecipeDirection recipe;
  recipe.launches = direction.launches();
  for (const Direction* d = &direction; d; d = d->rest.empty() ? nullptr : d->rest.data())
    recipe.parts.push_back(part_of(*d));
  for (const std::size_t kernel : direction.kernels)
    recipe.code.push_back(code_of(blueprint.kernels[kernel]));
  return recipe;
}

std::string problem_text(const std::string& key, std::uint64_t batch) {
  return key + ", batch " + std::to_string(batch);
}

profile::Recipe parsed(const std::string& text) {
  try {
    return profile::parse_recipe(text, "the text");
  } catch (const ProfileError& error) {
    base::invalid(kOption, "not a recipe", error.what());
  }
}

Line line_of(const lines::Request& request, const Parameters& parameters,
             const device::Facts& facts, const std::string& pointer) {
  try {
    auto completed = plan::complete(request, facts, parameters);
    auto program = plan::make_program(request, facts, completed);
    return {request, kOption, std::move(completed), std::move(program), {}};
  } catch (const InvalidArgument& error) {
    illegal(pointer, error.what());
  }
}

void check_followed(const profile::RecipeDirection& recipe, const profile::RecipeDirection& made,
                    const std::string& pointer) {
  if (recipe.parts != made.parts)
    illegal(pointer + "/parts", "it must specify every choice, and no others");
  const auto [ours, theirs] =
      std::mismatch(made.code.begin(), made.code.end(), recipe.code.begin(), recipe.code.end());
  if (ours == made.code.end() && theirs == recipe.code.end()) return;
  base::unsupported(std::string(kOption) + ": kernel " +
                        std::to_string(ours - made.code.begin() + 1) + " of " + pointer.substr(1) +
                        " differs from that of the recipe's plan, because the layout, norm, hooks, "
                        "device or version of imago differs",
                    "plan without it, and save the new Plan::recipe()");
}

}  // namespace

profile::Recipe recipe_of(const Blueprint& blueprint) {
  profile::Recipe recipe;
  recipe.problem = blueprint.problem.key();
  recipe.batch = blueprint.problem.batch;
  recipe.deterministic = blueprint.problem.alike;
  recipe.reproducible = blueprint.problem.reproducible;
  for (const Kernel& kernel : blueprint.kernels)
    recipe.pairs = recipe.pairs || kernel.code.phases.front().pairs;
  if (blueprint.forward) recipe.forward = recipe_of(*blueprint.forward, blueprint);
  if (blueprint.inverse) recipe.inverse = recipe_of(*blueprint.inverse, blueprint);
  return recipe;
}

F64 f64_of_recipe(const std::string& text) { return parsed(text).pairs ? F64::pairs : F64::native; }

std::optional<profile::Recipe> recipe_for(const problem::Problem& problem, const Options& options) {
  if (!options.recipe) return {};
  if (options.parameters != Parameters{})
    base::invalid("options.parameters", "given", "leave all automatic if you set options.recipe");
  auto recipe = parsed(*options.recipe);
  if (recipe.problem != problem.key() || recipe.batch != problem.batch)
    base::invalid(kOption, "for " + problem_text(profile::shown(recipe.problem), recipe.batch),
                  "it must be for this transform, " + problem_text(problem.key(), problem.batch));
  if (options.deterministic && !recipe.deterministic)
    base::invalid("options.deterministic", "true",
                  "it must be false: options.recipe is from a plan without it");
  if (problem.reproducible && !recipe.reproducible)
    base::invalid("options.reproducible", "true",
                  "it must be false: options.recipe is from a plan without it");
  const bool pairs = options.f64 == F64::pairs;
  if (problem.precision == Precision::f64 && options.f64 != F64::automatic && pairs != recipe.pairs)
    base::invalid("options.f64", pairs ? "pairs" : "native",
                  "it must be automatic: options.recipe is from a plan with the other arithmetic");
  for (const bool inverse : {false, true}) {
    if ((inverse ? problem.has_inverse() : problem.has_forward()) && !recipe.direction(inverse))
      base::invalid(kOption, "without " + std::string(pointer_to(inverse)),
                    "leave that direction out, or give the recipe of a plan that has it");
  }
  return recipe;
}

Direction follow(const profile::RecipeDirection& recipe, std::size_t index,
                 const Members& members) {
  const problem::Problem& problem = members.problem;
  const std::string pointer =
      std::string(pointer_to(members.inverse)) + "/parts/" + std::to_string(index);
  if (index >= recipe.parts.size())
    illegal(pointer,
            "it is missing, and " + std::to_string(problem.batch) + " batch elements are left");
  const profile::RecipePart& part = recipe.parts[index];
  const std::uint64_t all = problem.batch;
  if (part.members > all || all / part.members >= lines::kMostChunks ||
      (part.members < all && !lines::separable(problem)))
    illegal(pointer + "/members", std::to_string(part.members) + " of the " + std::to_string(all) +
                                      " batch elements that are left cannot be one chunk");
  Direction direction;
  direction.chunk = part.members;
  direction.cut = {.mapping = part.mapping, .algorithm = part.algorithm};
  const auto requests = plan::lines_of(lines::first_members(problem, part.members), members.inverse,
                                       direction.cut, members.facts);
  if (requests.size() != part.lines.size())
    illegal(pointer + "/lines", "it has " + std::to_string(part.lines.size()) +
                                    " elements; on this device it must have " +
                                    std::to_string(requests.size()));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    direction.lines.push_back(line_of(requests[i], part.lines[i], members.facts,
                                      pointer + "/lines/" + std::to_string(i)));
  }
  return direction;
}

void check_followed(const profile::Recipe& recipe, const Blueprint& blueprint) {
  const profile::Recipe made = recipe_of(blueprint);
  for (const bool inverse : {false, true}) {
    if (const auto* direction = made.direction(inverse))
      check_followed(*recipe.direction(inverse), *direction, pointer_to(inverse));
  }
}

}  // namespace imago::engine
