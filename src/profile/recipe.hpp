// This file describes a recipe: what a plan was made of, as a text that makes it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <imago/parameters.hpp>

namespace imago::profile {

/// Number of the text's form. A reader takes its own number only.
inline constexpr unsigned kRecipeForm = 1;

/// What was chosen for so many members of the batch at a time.
struct RecipePart {
  std::uint64_t members = 1;
  /// By which the transform was cut into lines.
  Mapping mapping = Mapping::automatic;
  Algorithm algorithm = Algorithm::automatic;
  std::vector<Parameters> lines;  ///< in launch order, complete
  friend bool operator==(const RecipePart&, const RecipePart&) = default;
};

struct RecipeDirection {
  Launches launches = Launches::automatic;
  /// The first is repeated while the batch has as many members; then comes what is left of it.
  std::vector<RecipePart> parts;
  std::vector<std::string> code;  ///< a digest of each kernel's, in launch order
  friend bool operator==(const RecipeDirection&, const RecipeDirection&) = default;
};

struct Recipe {
  std::string problem;  ///< problem::Problem::key()
  std::uint64_t batch = 1;
  bool deterministic = false;
  std::optional<RecipeDirection> forward, inverse;

  /// Null where there is none.
  const RecipeDirection* direction(bool inverse_wanted) const {
    const auto& wanted = inverse_wanted ? inverse : forward;
    return wanted ? &*wanted : nullptr;
  }
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// One line of JSON, without its end.
std::string to_text(const Recipe& recipe);

/// Strict: throws ProfileError naming `origin`, the place in the text and what was expected.
/// Whether the choices are legal for a device is the planner's to say.
Recipe parse_recipe(std::string_view text, const std::string& origin);

}  // namespace imago::profile
