// This file checks that an invalid recipe, or one of another plan, is rejected with its place and
// value.
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/recipes.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"

namespace imago {
namespace {

using Json = nlohmann::json;
using test::ContainsSubstring;
using test::kModel;
using test::text_of;
using test::with;

/// The rejection of a recipe of 3 transforms of 64 x 64 after a change.
struct Refused {
  Transform transform{.lengths = {64, 64}, .batch = 3};
  device::Facts facts = test::large_gpu();
  Options options = with(text_of(engine::decide(transform, facts, kModel)));

  template <class Kind = InvalidArgument>
  std::string reason() const {
    return test::message_of<Kind>([&] { engine::decide(transform, facts, options); });
  }
  std::string reason(const std::function<void(Json&)>& change) {
    Json json = Json::parse(*options.recipe);
    change(json);
    Options changed = options;
    changed.recipe = json.dump();
    std::swap(options, changed);
    const std::string said = reason();
    std::swap(options, changed);
    return said;
  }
};

TEST_CASE("a text that is no recipe is rejected with the place and the value",
          "[recipe][hostile]") {
  Refused recipe;
  REQUIRE(recipe.reason() == "");
  const std::string text = *recipe.options.recipe;
  for (const std::size_t kept :
       {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 1}) {
    recipe.options.recipe = text.substr(0, kept);
    CHECK_THAT(recipe.reason(),
               ContainsSubstring("options.recipe is not a recipe; the text: byte"));
  }
  recipe.options.recipe = text + "\n";
  CHECK(recipe.reason() == "");
  recipe.options.recipe = text;
  const auto says = [&](const char* words, const std::function<void(Json&)>& change) {
    CHECK_THAT(recipe.reason(change), ContainsSubstring(words));
  };
  says("the text: /recipe: it is 2; it must be a whole number from 1 to 1",
       [](Json& j) { j["recipe"] = 2; });
  says("the text: the document: the member recipe is missing", [](Json& j) { j.erase("recipe"); });
  says("/generator: it is \"0\"; it must be the generator \"1\" of this version of imago",
       [](Json& j) { j["generator"] = "0"; });
  says("the member colour is unknown", [](Json& j) { j["colour"] = 1; });
  says("/forward/parts/0: the member colour is unknown",
       [](Json& j) { j["forward"]["parts"][0]["colour"] = 1; });
  says("/forward/code", [](Json& j) { j["forward"]["code"] = Json::array(); });
  says("/forward/launches: it is \"automatic\"; it must be one of several_launches, one_launch",
       [](Json& j) { j["forward"]["launches"] = "automatic"; });
  says("/forward/parts/0/mapping: it is \"automatic\"; it must be one of work_group, vector",
       [](Json& j) { j["forward"]["parts"][0]["mapping"] = "automatic"; });
  for (const char* field : {"items", "columns", "lanes", "length"}) {
    for (const Json& wrong : {Json(-1), Json(1e30), Json(~std::uint64_t{0}), Json("8"), Json()})
      says("; it must be ",
           [&](Json& j) { j["forward"]["parts"][0]["lines"][0]["kernels"][0][field] = wrong; });
  }
}

TEST_CASE("a recipe of another transform is refused", "[recipe]") {
  Refused recipe;
  recipe.transform.batch = 4;
  CHECK(recipe.reason() ==
        "options.recipe is for complex-64x64-f32-out_of_place, batch 3; it must be for this "
        "transform, complex-64x64-f32-out_of_place, batch 4");
  recipe.transform.batch = 3;
  recipe.transform.lengths = {64, 32};
  CHECK_THAT(recipe.reason(), ContainsSubstring("it must be for this transform"));
  recipe.transform.lengths = {64, 64};
  recipe.transform.precision = Precision::f64;
  CHECK_THAT(recipe.reason(), ContainsSubstring("it must be for this transform"));
  recipe.transform.precision = Precision::f32;
  REQUIRE(recipe.reason() == "");
  // The text does not contain the norm, but the kernels do.
  recipe.transform.norm = Norm::forward;
  CHECK_THAT(recipe.reason<Unsupported>(), ContainsSubstring("kernel 1 of forward differs"));
  recipe.transform.norm = Norm::backward;
  recipe.transform.on_forward.store = {hook::power()};
  CHECK_THAT(recipe.reason<Unsupported>(), ContainsSubstring("of forward differs"));
}

TEST_CASE("a recipe never becomes another plan", "[recipe]") {
  Refused recipe;
  CHECK_THAT(recipe.reason([](Json& j) { j["forward"]["parts"][0]["members"] = 2; }),
             ContainsSubstring("/forward/parts/1: it is missing, and 1 batch elements"));
  CHECK_THAT(recipe.reason([](Json& j) { j["forward"]["parts"][0]["members"] = 4; }),
             ContainsSubstring("/forward/parts/0/members: 4 of the 3"));
  CHECK_THAT(
      recipe.reason([](Json& j) { j["forward"]["parts"].push_back(j["forward"]["parts"][0]); }),
      ContainsSubstring("/forward/parts: it must specify every choice, and no others"));
  CHECK_THAT(recipe.reason([](Json& j) {
    auto& lines = j["forward"]["parts"][0]["lines"];
    lines.push_back(lines[0]);
  }),
             ContainsSubstring("/forward/parts/0/lines: "));
  for (const char* field : {"items", "radices", "twiddles", "exchange"})
    CHECK_THAT(recipe.reason([&](Json& j) {
      j["inverse"]["parts"][0]["lines"][0]["kernels"][0].erase(field);
    }),
               ContainsSubstring("/inverse/parts: it must specify every choice"));
  CHECK_THAT(recipe.reason([](Json& j) {
    j["inverse"]["parts"][0]["lines"][0]["kernels"][0]["items"] = 4096;
  }),
             ContainsSubstring("/inverse/parts/0/lines/0: parameters.kernels[0]."));
  // Another choice that would be legal.
  const std::string text = *recipe.options.recipe;
  Json other = Json::parse(text);
  auto& twiddles = other["forward"]["parts"][0]["lines"][0]["kernels"][0]["twiddles"];
  twiddles = twiddles == "table" ? "polynomial" : "table";
  recipe.options.recipe = other.dump();
  CHECK_THAT(recipe.reason<Unsupported>(),
             ContainsSubstring("options.recipe: kernel 1 of forward differs"));
  other = Json::parse(text);
  other["forward"]["code"].push_back("0123");
  recipe.options.recipe = other.dump();
  CHECK_THAT(recipe.reason<Unsupported>(),
             ContainsSubstring("differs from that of the recipe's plan"));
  // A device with other limits.
  recipe.options.recipe = text;
  recipe.facts.local_bytes = 1024;
  CHECK_THAT(recipe.reason(), ContainsSubstring("options.recipe is not possible here; /forward"));
  recipe.facts = test::wide_cpu();
  CHECK_THROWS_AS(engine::decide(recipe.transform, recipe.facts, recipe.options), Error);
}

TEST_CASE("beside a recipe nothing else is chosen", "[recipe]") {
  Refused recipe;
  recipe.options.parameters.algorithm = Algorithm::single;
  CHECK(recipe.reason() ==
        "options.parameters is given; leave all automatic if you set options.recipe");
  recipe.options.parameters = {};
  recipe.options.deterministic = true;
  CHECK(
      recipe.reason() ==
      "options.deterministic is true; it must be false: options.recipe is from a plan without it");
  recipe.options.deterministic = false;
  recipe.transform = {.lengths = {1 << 18}, .batch = 4, .placement = Placement::in_place};
  recipe.options = with(text_of(engine::decide(recipe.transform, recipe.facts, kModel)));
  recipe.options.scratch.limit = std::size_t{2} << 21;
  CHECK_THAT(recipe.reason(), ContainsSubstring("options.scratch.limit is 4194304 bytes; the "
                                                "chunk of options.recipe needs"));
}

TEST_CASE("a recipe's arithmetic of f64 is not replaced", "[recipe][pairs]") {
  Refused recipe;
  recipe.transform = {.precision = Precision::f64, .lengths = {1024}};
  for (const F64 f64 : {F64::pairs, F64::native}) {
    const Options made{.profiles = false, .f64 = f64};
    const F64 other = f64 == F64::pairs ? F64::native : F64::pairs;
    recipe.options = with(text_of(engine::decide(recipe.transform, recipe.facts, made)));
    recipe.options.f64 = f64;
    CHECK(recipe.reason().empty());
    recipe.options.f64 = other;
    CHECK(recipe.reason() == std::string("options.f64 is ") +
                                 (other == F64::pairs ? "pairs" : "native") +
                                 "; it must be automatic: options.recipe is from a plan with the "
                                 "other arithmetic");
  }
  recipe.options.f64 = F64::automatic;  // the recipe is native
  recipe.facts = test::small_gpu();
  CHECK_THAT(recipe.reason<Unsupported>(),
             ContainsSubstring("has no double precision, and options.recipe is from a plan with "
                               "it"));
}

/// Replaces something in a recipe's text, by a random number.
void change(Json& json, std::mt19937& random) {
  const auto pick = [&](const std::vector<Json>& from) { return from[random() % from.size()]; };
  const std::vector<Json> numbers{0, 1, 2, 3, 7, 8, 16, 31, 64, 4096, 1 << 20, 1u << 31};
  const std::vector<Json> algorithms{"single", "hierarchy", "global", "rader", "bluestein"};
  auto& part = json["forward"]["parts"][0];
  auto& lines = part["lines"];
  auto& line = lines[random() % lines.size()];
  auto& kernels = line["kernels"];
  auto& kernel = kernels[random() % kernels.size()];
  const std::vector<std::function<void()>> changes{
      [&] { kernel["length"] = pick(numbers); },
      [&] { kernel["items"] = pick(numbers); },
      [&] { kernel["columns"] = pick(numbers); },
      [&] {
        kernel["lanes"] = pick({1, 2, 3, 8, 16, 64});
      },
      [&] {
        kernel["radices"] = {pick({1, 2, 8, 16, 31, 64}), pick({2, 4, 7, 32})};
      },
      [&] {
        kernel["axis"] = pick({"columns", "points"});
      },
      [&] {
        kernel["exchange"] = pick({"split", "interleaved"});
      },
      [&] {
        kernel["four_step"] = pick({"table", "polynomial"});
      },
      [&] { line["algorithm"] = pick(algorithms); },
      [&] {
        line["mapping"] = pick({"vector", "work_group"});
      },
      [&] { kernels.push_back(Json(kernel)); },
      [&] { kernels.erase(0); },
      [&] { lines.push_back(Json(line)); },
      [&] {
        part["members"] = pick({1, 2, 3, 1u << 31});
      },
      [&] {
        part["mapping"] = pick({"vector", "work_group"});
      },
      [&] { part["algorithm"] = pick(algorithms); },
      [&] { json["forward"]["launches"] = "one_launch"; },
  };
  changes[random() % changes.size()]();
}

TEST_CASE("whatever a recipe holds, it is refused or followed", "[recipe][hostile][long]") {
  std::mt19937 random(3);
  std::size_t refused = 0, tried = 0;
  for (const device::Facts& facts : test::devices()) {
    for (const problem::Computation& computation : test::computations()) {
      const Json right = Json::parse(text_of(engine::decide(computation, facts, kModel)));
      for (int i = 0; i < 12; ++i) {
        Json json = right;
        change(json, random);
        ++tried;
        CAPTURE(facts.name, json.dump());
        try {
          const auto made = engine::decide(computation, facts, with(json.dump()));
          CHECK(engine::recipe_of(made) == profile::parse_recipe(json.dump(), "the text"));
        } catch (const Error&) {
          ++refused;
        }
      }
    }
  }
  CHECK(refused > tried / 2);
}

}  // namespace
}  // namespace imago
