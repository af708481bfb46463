// This file describes a recipe (serialized plan): the choices of a plan as a text that reproduces
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <imago/parameters.hpp>

namespace imago::profile {

/// Version of the text format. A reader accepts only its own version.
inline constexpr unsigned kRecipeForm = 1;

/// The choices for `members` batch elements at a time.
struct RecipePart {
  std::uint64_t members = 1;
  /// Mapping of the decomposition into 1-D transforms.
  Mapping mapping = Mapping::automatic;
  Algorithm algorithm = Algorithm::automatic;
  std::vector<Parameters> lines;  ///< in launch order, without automatic values
  friend bool operator==(const RecipePart&, const RecipePart&) = default;
};

struct RecipeDirection {
  Launches launches = Launches::automatic;
  /// The first part repeats while the batch has enough elements left; the others compute the rest.
  std::vector<RecipePart> parts;
  std::vector<std::string> code;  ///< digests of the kernels, in launch order
  friend bool operator==(const RecipeDirection&, const RecipeDirection&) = default;
};

struct Recipe {
  std::string problem;  ///< problem::Problem::key()
  std::uint64_t batch = 1;
  bool deterministic = false;
  bool reproducible = false;
  bool pairs = false;  ///< f64 is computed in pairs of f32
  std::optional<RecipeDirection> forward, inverse;

  /// Returns null if the recipe lacks the direction.
  const RecipeDirection* direction(bool inverse_wanted) const {
    const auto& wanted = inverse_wanted ? inverse : forward;
    return wanted ? &*wanted : nullptr;
  }
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// Returns one line of JSON, without a newline.
std::string to_text(const Recipe& recipe);

/// Parses strictly: throws ProfileError with `origin`, the place in the text and the expected
/// input. The planner checks later that the choices are legal for a device.
Recipe parse_recipe(std::string_view text, const std::string& origin);

}  // namespace imago::profile
