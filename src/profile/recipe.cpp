// This file writes and reads recipes. The structured bindings name every member, so that a new
// member breaks the build here until it is written, and read below.
#include "profile/recipe.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "profile/json_tree.hpp"
#include "profile/node.hpp"
#include "profile/parameters_json.hpp"
#include "profile/profile.hpp"
#include "profile/words.hpp"

namespace imago::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLargestBatch = std::uint64_t{1} << 60;
constexpr std::size_t kMostParts = 100, kMostLines = 1000, kMostCode = 10000;

// Choices are never automatic, except for the algorithm of a part, for which automatic means
// several axes together.
constexpr auto kChosenMappings = base::without(kMappings, Mapping::automatic);
constexpr auto kChosenLaunches = base::without(kLaunches, Launches::automatic);

Json json_of(const RecipePart& part) {
  const auto& [members, mapping, algorithm, lines] = part;
  Json json{{"members", members},
            {"mapping", written(kChosenMappings, mapping)},
            {"algorithm", written(kAlgorithms, algorithm)},
            {"lines", Json::array()}};
  for (const Parameters& line : lines) json["lines"].push_back(json_of(line, Natives::with));
  return json;
}

Json json_of(const RecipeDirection& direction) {
  const auto& [launches, parts, code] = direction;
  Json json{{"launches", written(kChosenLaunches, launches)}, {"parts", Json::array()}};
  for (const RecipePart& part : parts) json["parts"].push_back(json_of(part));
  json["code"] = code;
  return json;
}

RecipePart read_part(const Node& node) {
  node.only({"members", "mapping", "algorithm", "lines"});
  RecipePart part;
  part.members = node.member("members").whole(1, kLargestBatch);
  part.mapping = node.member("mapping").word(kChosenMappings);
  part.algorithm = node.member("algorithm").word(kAlgorithms);
  const Node lines = node.member("lines");
  const std::size_t count = lines.size(1, kMostLines);
  for (std::size_t i = 0; i < count; ++i)
    part.lines.push_back(read_parameters(lines.element(i), Natives::with));
  return part;
}

RecipeDirection read_direction(const Node& node) {
  node.only({"launches", "parts", "code"});
  RecipeDirection direction;
  direction.launches = node.member("launches").word(kChosenLaunches);
  const Node parts = node.member("parts");
  const std::size_t count = parts.size(1, kMostParts);
  for (std::size_t i = 0; i < count; ++i) direction.parts.push_back(read_part(parts.element(i)));
  const Node code = node.member("code");
  const std::size_t kernels = code.size(1, kMostCode);
  for (std::size_t i = 0; i < kernels; ++i) direction.code.push_back(code.element(i).text());
  return direction;
}

/// Checks the version of the kernels; choices for another version are meaningless.
void check_generator(const Node& node) {
  if (node.text() != kGenerator)
    node.fail("the generator \"" + std::string(kGenerator) + "\" of this version of imago");
}

}  // namespace

std::string to_text(const Recipe& recipe) {
  const auto& [problem, batch, deterministic, reproducible, pairs, forward, inverse] = recipe;
  Json json{{"recipe", kRecipeForm},
            {"generator", std::string(kGenerator)},
            {"problem", problem},
            {"batch", batch}};
  if (deterministic) json["deterministic"] = true;
  if (reproducible) json["reproducible"] = true;
  if (pairs) json["pairs"] = true;
  if (forward) json["forward"] = json_of(*forward);
  if (inverse) json["inverse"] = json_of(*inverse);
  return json.dump();
}

Recipe parse_recipe(std::string_view text, const std::string& origin) {
  const auto tree = parse_tree(text, origin);
  const Node root(tree, origin);
  // First, because other forms may differ in everything else.
  root.member("recipe").whole(kRecipeForm, kRecipeForm);
  root.only({"recipe", "generator", "problem", "batch", "deterministic", "reproducible", "pairs",
             "forward", "inverse"});
  check_generator(root.member("generator"));
  Recipe recipe;
  recipe.problem = root.member("problem").text();
  recipe.batch = root.member("batch").whole(1, kLargestBatch);
  const auto truth = [](const Node& member) { return member.truth(); };
  root.set("deterministic", recipe.deterministic, truth);
  root.set("reproducible", recipe.reproducible, truth);
  root.set("pairs", recipe.pairs, truth);
  if (const auto forward = root.optional("forward")) recipe.forward = read_direction(*forward);
  if (const auto inverse = root.optional("inverse")) recipe.inverse = read_direction(*inverse);
  return recipe;
}

}  // namespace imago::profile
