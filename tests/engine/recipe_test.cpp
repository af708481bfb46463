// This file checks that a recipe creates exactly the plan that it was taken from.
#include <sstream>
#include <string>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/shapes.hpp"
#include "engine/recipes.hpp"
#include "kernel/radices.hpp"
#include "profile/file.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using test::computations;
using test::ContainsSubstring;
using test::devices;
using test::kModel;
using test::text_of;
using test::with;

/// Returns describe() without the lines about the source of the choices.
std::string described(const engine::Blueprint& blueprint) {
  std::istringstream lines(blueprint.describe());
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool origin = line.starts_with("  ") && !line.starts_with("  in ") &&
                        line.find(". ") == std::string::npos;
    if (!origin) kept += line + "\n";
  }
  return kept;
}

/// Returns everything that a direction executes.
std::string executed(const engine::Direction& direction) {
  const kernel::Program& program = direction.program;
  std::ostringstream text;
  text << "chunk " << direction.chunk << ", one launch " << program.one_launch << ", scratch "
       << program.scratch_bytes << ", moved " << program.bytes_moved << "\n";
  for (const kernel::Launch& launch : program.launches) {
    text << launch.step << ' ' << launch.table << ' ' << launch.scale << ' ' << launch.spectrum
         << ' ' << launch.chunk << ' ' << launch.batch << ' ' << launch.groups;
    for (const kernel::Place& place : {launch.in, launch.out})
      text << ' ' << static_cast<int>(place.memory) << ' ' << place.offset << ' ' << place.distance;
    text << "\n";
  }
  return text.str();
}

/// Checks that the recipe of a plan creates the same plan.
void check_round_trip(const problem::Computation& computation, const device::Facts& facts,
                      const Options& options) {
  const auto blueprint = engine::decide(computation, facts, options);
  const std::string recipe = text_of(blueprint);
  CAPTURE(facts.name, recipe);
  Options again = with(recipe);
  again.scratch.limit = options.scratch.limit;
  const auto made = engine::decide(computation, facts, again);
  CHECK(text_of(made) == recipe);
  CHECK(described(made) == described(blueprint));
  CHECK_THAT(made.describe(), ContainsSubstring("  options.recipe\n"));
  CHECK(made.problem.alike == blueprint.problem.alike);
  for (const bool inverse : {false, true}) {
    const auto& before = inverse ? blueprint.inverse : blueprint.forward;
    const auto& after = inverse ? made.inverse : made.forward;
    REQUIRE(before.has_value() == after.has_value());
    if (!before) continue;
    CHECK(after->program.steps == before->program.steps);
    CHECK(after->program.tables == before->program.tables);
    CHECK(executed(*after) == executed(*before));
  }
  REQUIRE(made.kernels.size() == blueprint.kernels.size());
  for (std::size_t i = 0; i < made.kernels.size(); ++i) {
    const auto now = engine::generate(made.kernels[i]),
               then = engine::generate(blueprint.kernels[i]);
    CHECK(now.source == then.source);
    CHECK(now.options == then.options);
  }
}

TEST_CASE("a recipe makes the plan that it was taken from", "[recipe][long]") {
  for (const device::Facts& facts : devices()) {
    for (problem::Computation computation : computations()) {
      Transform& transform = computation.transform;
      for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
        if (placement == Placement::in_place && !transform.spectrum.strides.empty()) continue;
        transform.placement = placement;
        for (const auto precision : {Precision::f32, Precision::f64}) {
          transform.precision = precision;
          CAPTURE(transform.kind, transform.lengths, transform.batch, placement, precision);
          check_round_trip(computation, facts, kModel);
        }
      }
    }
  }
}

TEST_CASE("a recipe of a deterministic plan makes the same plan, with the option", "[recipe]") {
  const Options alike{.profiles = false, .deterministic = true};
  for (const device::Facts& facts : devices()) {
    for (const problem::Computation& computation : computations()) {
      const Transform& transform = computation.transform;
      CAPTURE(transform.kind, transform.lengths, transform.batch);
      check_round_trip(computation, facts, alike);
    }
  }
}

TEST_CASE("a recipe keeps the arithmetic of f64, also against the environment", "[recipe][pairs]") {
  const Transform transform{.precision = Precision::f64, .lengths = {1024}, .batch = 7};
  for (const F64 f64 : {F64::pairs, F64::native}) {
    const Options options{.profiles = false, .f64 = f64};
    const auto plan = engine::decide(transform, test::large_gpu(), options);
    const test::Variable other("IMAGO_F64", f64 == F64::pairs ? "native" : "pairs");
    const auto again = engine::decide(transform, test::large_gpu(), with(text_of(plan)));
    CHECK(text_of(again) == text_of(plan));
  }
}

TEST_CASE("a recipe may have every radix", "[recipe]") {
  for (const unsigned radix : kernel::radices_in_place()) {
    CAPTURE(radix);
    Options options = kModel;
    options.parameters.kernels = {{.length = radix, .radices = {radix}}};
    options.parameters.mapping = Mapping::work_group;
    check_round_trip(Transform{.lengths = {radix}, .batch = 100}, test::large_gpu(), options);
  }
}

TEST_CASE("so does one of a plan in chunks, whose rest has kernels of its own", "[recipe]") {
  Transform transform{.lengths = {1 << 18}, .batch = 7, .placement = Placement::in_place};
  Options options = kModel;
  options.scratch.limit = std::size_t{3} << 21;
  for (const device::Facts& facts : devices()) {
    const auto blueprint = engine::decide(transform, facts, options);
    CHECK(blueprint.forward->chunk == 3);
    CHECK(engine::recipe_of(blueprint).forward->parts.size() == 2);
    check_round_trip(transform, facts, options);
  }
}

TEST_CASE("recipes of the catalogue's cases make the same plans, with forced parameters",
          "[recipe][long]") {
  constexpr std::uint64_t kSeed = 20;
  constexpr std::size_t kEvery = 37;
  for (const device::Facts& facts : devices()) {
    auto cases = catalogue::cases(catalogue::Tier::ci, kSeed, facts);
    catalogue::Random random(kSeed);
    for (std::size_t i = 0; i < cases.size() / 4; ++i)
      cases.push_back(catalogue::make_case(catalogue::random_traits(random), random));
    for (std::size_t i = 0; i < cases.size(); i += kEvery) {
      CAPTURE(cases[i].name());
      const Options options{.parameters = cases[i].parameters, .profiles = false};
      try {
        engine::decide(cases[i].transform(), facts, options);
      } catch (const Error&) {
        continue;  // a rejected transform has no recipe
      }
      check_round_trip(cases[i].transform(), facts, options);
    }
  }
}

TEST_CASE("a recipe keeps what was asked for by hand, native twiddles, too", "[recipe]") {
  const Transform transform{.lengths = {4096}, .batch = 64};
  Options options = kModel;
  options.parameters.algorithm = Algorithm::hierarchy;
  options.parameters.kernels = {{.length = 64, .twiddles = Twiddles::native}, {.length = 64}};
  options.parameters.launches = Launches::one;
  check_round_trip(transform, test::waiting_gpu(), options);
  Options alike = options;
  alike.deterministic = true;
  check_round_trip(transform, test::waiting_gpu(), alike);
  const auto made = engine::decide(transform, test::waiting_gpu(), options);
  CHECK_THAT(text_of(made), ContainsSubstring("\"launches\":\"one_launch\"") &&
                                ContainsSubstring("\"twiddles\":\"native\""));
}

TEST_CASE("a recipe keeps the mapping and the cut of a wish", "[recipe]") {
  const std::vector<Transform> all{{.lengths = {32, 32}, .batch = 3},
                                   {.kind = Kind::real, .lengths = {16, 40}, .batch = 3},
                                   {.kind = Kind::dct2, .lengths = {8, 8}, .batch = 3}};
  for (const device::Facts& facts : devices()) {
    for (const Transform& transform : all) {
      for (const auto mapping : {Mapping::work_group, Mapping::vector}) {
        for (const auto algorithm : {Algorithm::automatic, Algorithm::hierarchy}) {
          CAPTURE(transform.kind, mapping, algorithm);
          Options options = kModel;
          options.parameters = {.mapping = mapping, .algorithm = algorithm};
          check_round_trip(transform, facts, options);
        }
      }
    }
  }
}

TEST_CASE("a recipe wins over a profile", "[recipe]") {
  const test::Folder folder;
  const auto facts = test::large_gpu();
  const Transform transform{.lengths = {64}, .batch = 16};
  const std::string recipe = text_of(engine::decide(transform, facts, kModel));
  profile::Profile tuned;
  tuned.device = profile::device_of(facts);
  profile::ProblemClass problem;
  problem.lengths = {64};
  problem.batch = 16;
  Parameters unusual;
  unusual.algorithm = Algorithm::global;
  unusual.kernels = {{.length = 2, .radices = {2}}, {.length = 32, .radices = {32}}};
  tuned.entries = {{problem, unusual, 1e-3, {}}};
  profile::save(folder.path() / "p.json", tuned);
  Options options{.profile_directory = folder.path()};
  REQUIRE_THAT(engine::decide(transform, facts, options).describe(), ContainsSubstring("global"));
  const std::string of_profile = text_of(engine::decide(transform, facts, options));
  CHECK(of_profile != recipe);
  options.recipe = recipe;
  CHECK(text_of(engine::decide(transform, facts, options)) == recipe);
  // The reverse: the choices of a profile, without the profile.
  CHECK(text_of(engine::decide(transform, facts, with(of_profile))) == of_profile);
}

TEST_CASE("a direction may be left out of a recipe's plan, not added", "[recipe]") {
  const auto facts = test::wide_cpu();
  Transform transform{.lengths = {100}, .batch = 2};
  const auto both = engine::decide(transform, facts, kModel);
  transform.directions = Directions::inverse;
  const auto one = engine::decide(transform, facts, with(text_of(both)));
  CHECK(!one.forward.has_value());
  CHECK(one.inverse->program.steps == both.inverse->program.steps);
  const std::string inverse = text_of(one);
  transform.directions = Directions::both;
  CHECK_THROWS_WITH(engine::decide(transform, facts, with(inverse)),
                    "options.recipe is without /forward; leave that direction out, or give the "
                    "recipe of a plan that has it");
}

}  // namespace
}  // namespace imago
