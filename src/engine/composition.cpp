// This file implements the composition root.
#include "engine/composition.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "base/errors.hpp"
#include "engine/launches.hpp"
#include "engine/parameter_sources.hpp"
#include "engine/recipe.hpp"
#include "engine/scratch.hpp"
#include "engine/tuning.hpp"
#include "generic/program.hpp"
#include "generic/rows.hpp"
#include "lines/chunks.hpp"
#include "model/model.hpp"
#include "model/rates.hpp"
#include "plan/chains.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "problem/make_problem.hpp"
#include "problem/words.hpp"

namespace imago::engine {
namespace {

/// Chooses one direction: the lines of a chunk of the batch, and the chunks.
class Director {
 public:
  Director(const Tuning& tuning, const ScratchLimit& limit, const profile::RecipeDirection* recipe,
           bool inverse, std::unique_ptr<const Source> source)
      : tuning_(tuning),
        limit_(limit),
        recipe_(recipe),
        inverse_(inverse),
        source_(std::move(source)) {}

  Direction decide(const problem::Problem& problem) const {
    Direction direction = parts_from(0, problem);
    direction.program.one_launch =
        wants_one_launch(direction.program, launches(direction), tuning_.facts());
    direction.seconds = model::seconds(direction.program, tuning_.facts());
    return direction;
  }

 private:
  /// Returns the direction as chunks that run one after the other. The rest of the batch may need
  /// its own kernels. `part` is the number of parts of a recipe before these chunks.
  Direction parts_from(std::size_t part, const problem::Problem& problem) const {
    Direction direction = recipe_ ? follow_part(part, problem) : largest_chunk(problem);
    if (const auto excess = excess_of(problem, direction)) {
      const auto tuned = direction.tuned();
      // The number of chunks depends on the batch, so it must not change the parameters.
      if (tuned.empty() || (problem.alike && direction.chunk > 1))
        limit_.refuse(excess->first, excess->second);
      for (const auto& found : tuned)
        tuning_.reject(found, "needs more workspace than is allowed, " +
                                  std::to_string(limit_.bytes) + " bytes");
      return Director(tuning_, limit_, nullptr, inverse_, source_of(tuning_, false, false))
          .parts_from(0, problem);
    }
    const std::uint64_t chunk = direction.chunk, count = problem.batch / chunk,
                        rest = problem.batch % chunk;
    const auto distances = lines::distances_of(problem, inverse_);
    lines::repeat(direction.program, count, chunk, distances);
    if (rest == 0) return direction;
    Direction last = parts_from(part + 1, lines::first_members(problem, rest));
    lines::move(last.program, count * chunk, distances);
    kernel::append(direction.program, last.program);
    last.program = {};
    direction.rest.push_back(std::move(last));
    return direction;
  }

  /// Returns the largest chunk of the batch with scratch memory within the limit; the smallest
  /// possible chunk if none is within it.
  Direction largest_chunk(const problem::Problem& problem) const {
    Direction direction = at_once(problem);
    while (direction.program.scratch_bytes > limit_.bytes && direction.chunk > 1 &&
           lines::separable(problem)) {
      const auto members = lines::smaller_chunk(problem.batch, direction.chunk,
                                                direction.program.scratch_bytes, limit_.bytes);
      direction = at_once(lines::first_members(problem, members));
    }
    return direction;
  }

  Direction at_once(const problem::Problem& problem) const {
    // The canon has the same arithmetic in every batch.
    const bool alone = problem.alike && !problem.reproducible;
    Direction direction = alone ? as_each_alone(problem) : source_->choose(problem, inverse_);
    direction.chunk = problem.batch;
    append_lines(direction, problem.placement);
    return direction;
  }

  Direction follow_part(std::size_t part, const problem::Problem& problem) const {
    Direction direction = follow(*recipe_, part, {problem, inverse_, tuning_.facts()});
    append_lines(direction, problem.placement);
    return direction;
  }

  /// Joins the programs of the lines to that of the direction.
  void append_lines(Direction& direction, Placement placement) const {
    const Launches wish = launches(direction);
    std::vector<kernel::Program*> programs;
    for (Line& line : direction.lines) programs.push_back(&line.program);
    if (wish == Launches::automatic || wish == Launches::chained)
      plan::chain(programs, placement, tuning_.facts());
    for (const Line& line : direction.lines) kernel::append(direction.program, line.program);
  }

  Direction as_each_alone(const problem::Problem& problem) const {
    Direction direction = source_->choose(lines::first_members(problem, 1), inverse_);
    if (problem.batch == 1) return direction;
    const auto requests = plan::lines_of(problem, inverse_, direction.cut, tuning_.facts());
    for (std::size_t i = 0; i < direction.lines.size(); ++i)
      make_alike(requests.at(i), direction.lines[i]);
    return direction;
  }

  /// Extends a line of a single batch element to the batch, with bitwise identical results.
  void make_alike(const lines::Request& request, Line& line) const {
    line.request = request;
    line.origin += ", as for a batch of 1";
    try {
      line.parameters = source_->choose_alike(request, line.parameters);
    } catch (const InvalidArgument&) {
      base::unsupported(
          "options.deterministic is true, and batch elements that interleave need other kernels "
          "than one transform",
          "store them one after the other");
    }
    line.program = plan::make_program(request, tuning_.facts(), line.parameters);
  }

  /// Returns a description of the part that needs too much scratch memory, with its bytes; empty if
  /// everything fits.
  std::optional<std::pair<std::string, std::uint64_t>> excess_of(const problem::Problem& problem,
                                                                 const Direction& chunk) const {
    const std::uint64_t needed = chunk.program.scratch_bytes, count = problem.batch / chunk.chunk;
    if (needed > limit_.bytes)
      return std::pair(chunk.chunk == 1 ? "one transform"
                       : recipe_        ? "the chunk of options.recipe"
                                        : "the batch, whose elements change places,",
                       needed);
    if (count < lines::kMostChunks) return {};
    return std::pair("the batch in at most " + std::to_string(lines::kMostChunks) + " chunks",
                     needed * (count / lines::kMostChunks + 1));
  }

  Launches launches(const Direction& direction) const {
    const auto wish = recipe_ ? recipe_->launches : tuning_.wish().launches;
    const auto tuned = direction.tuned();
    if (wish != Launches::automatic || tuned.empty()) return wish;
    // A profile entry is for both directions. One of them may have other kernels than the tuned
    // ones.
    const bool one = tuned[0].parameters.launches == Launches::one;
    return one && (!may_be_one_launch(direction.program, tuning_.facts()) ||
                   has_cheap_launches(direction.program, tuning_.facts()))
               ? Launches::several
               : tuned[0].parameters.launches;
  }

  const Tuning& tuning_;
  const ScratchLimit& limit_;
  const profile::RecipeDirection* recipe_;  ///< recipe that makes all choices; null: none
  const bool inverse_;
  const std::unique_ptr<const Source> source_;
};

std::size_t table_bytes_of(const kernel::Program& program, const kernel::Kernel& kernel) {
  std::size_t most = 0;
  for (const auto& launch : program.launches) {
    const auto& step = program.steps[launch.step];
    const auto& phases = kernel.phases;
    if (launch.table >= 0 && std::find(phases.begin(), phases.end(), step) != phases.end())
      most = std::max(most, program.tables.at(launch.table).bytes());
  }
  return most;
}

/// Returns the options of kernels that compute in pairs.
std::string pair_options(const kernel::Kernel& kernel, const device::Facts& facts) {
  return kernel.phases.front().pairs && !facts.f64.fma ? " -DIMAGO_NO_FMA" : "";
}

/// Collects the kernels of both directions; shared kernels are compiled once.
void collect_kernels(Blueprint& blueprint, const device::Facts& facts) {
  auto& kernels = blueprint.kernels;
  // Generic kernels are the same ones for all plans.
  const bool alike = blueprint.problem.alike && !blueprint.is_generic();
  for (auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (!*direction) continue;
    const auto& program = (*direction)->program;
    for (auto& code : kernel::kernels_of(program)) {
      const auto found = std::find_if(kernels.begin(), kernels.end(),
                                      [&](const Kernel& kernel) { return kernel.code == code; });
      (*direction)->kernels.push_back(found - kernels.begin());
      if (found != kernels.end()) continue;
      const std::size_t bytes = table_bytes_of(program, code);
      const std::string options =
          (code.waits ? "-cl-std=" + facts.waiting : kBuildOptions) + pair_options(code, facts);
      kernels.push_back({std::move(code), bytes,
                         options + item_options(facts) + (alike ? kAsWrittenOption : ""),
                         !facts.keeps_loads, alike});
    }
  }
}

/// Returns the recipe's choice, else the caller's, or for an automatic one that of the environment.
F64 f64_of(const Options& options) {
  if (options.recipe) return f64_of_recipe(*options.recipe);
  const char* const name = "IMAGO_F64";
  const char* const word = std::getenv(name);
  if (options.f64 != F64::automatic || !word || !*word) return options.f64;
  const auto known = base::value_of(problem::kF64, word);
  if (!known)
    base::invalid(name, '"' + std::string(word) + '"',
                  "it must be automatic, native, pairs or fast");
  return *known;
}

/// Throws Unsupported if the device has no numbers of this precision.
void check_precision(Precision precision, const device::Facts& facts, const Options& options) {
  const bool exact = facts.f64.ring != base::Ring::none;
  if (precision == Precision::f64 && !facts.f64.native && !facts.f64.pairs && !exact) {
    base::unsupported(
        "the device \"" + facts.name + "\" has no double precision, and " +
            (options.recipe ? "options.recipe is from a plan with it" : "options.f64 is native"),
        options.recipe ? "plan without it, and save the new Plan::recipe()"
                       : "use F64::automatic, Precision::f32 or another device");
  }
}

/// Returns true for hooks that have the same arithmetic in every kernel, and no functions of a
/// driver's library.
bool has_canon(const Hook& hook) {
  const auto is = [&]<class... Sorts>(std::variant<Sorts...>*) {
    return (std::holds_alternative<Sorts>(hook) || ...);
  };
  return is(static_cast<std::variant<hook::Scale, hook::Multiply, hook::ZeroOutside, hook::Stored,
                                     hook::Shift, hook::Roll, hook::Conjugate>*>(nullptr));
}

/// Throws Unsupported for a filter, and for hooks that have no canon.
void check_canon(const problem::Problem& problem, const Options& options) {
  if (problem.filter) refuse_reproducible(options, "filters");
  for (const auto& direction : problem.hooked) {
    for (const auto& end : direction) {
      if (end && !std::all_of(end->hooks.begin(), end->hooks.end(), has_canon))
        refuse_reproducible(options, "some hooks of " + end->field);
    }
  }
}

problem::Problem problem_of(const problem::Computation& computation, const device::Facts& facts,
                            const Options& options) {
  auto problem = problem::make_problem(computation);
  // Residues have the same bits everywhere.
  problem.reproducible = computation.ring == base::Ring::none && is_reproducible(options);
  if (problem.reproducible) check_canon(problem, options);
  problem.alike = options.deterministic || problem.reproducible;
  check_precision(problem.precision, facts, options);
  if (problem.precision == Precision::f64 && facts.f64.pairs) {
    // Both mappings normalise the same numbers, except for a few problems.
    if (problem.reproducible) refuse_reproducible(options, "plans of f64 by pairs of floats");
    problem.check_for_pairs();
  }
  return problem;
}

/// The problem, tuning, limits and recipe that all choices depend on.
class Decider {
 public:
  Decider(const problem::Computation& computation, const device::Facts& facts,
          const Options& options)
      : problem_(problem_of(computation, facts, options)),
        tuning_(facts, options),
        limit_(ScratchLimit::of(facts, options)),
        recipe_(recipe_for(problem_, options)) {
    if (!recipe_) return;
    problem_.alike = recipe_->deterministic;
    problem_.reproducible = recipe_->reproducible;
  }

  Blueprint decide(bool with_profiles) const {
    Blueprint blueprint;
    blueprint.problem = problem_;
    for (const bool inverse : {false, true})
      blueprint.arguments[inverse] = problem_.arguments(inverse);
    if (problem_.has_forward()) blueprint.forward = decide(false, with_profiles);
    if (problem_.has_inverse()) blueprint.inverse = decide(true, with_profiles);
    collect_kernels(blueprint, tuning_.facts());
    if (recipe_) check_followed(*recipe_, blueprint);
    return blueprint;
  }

  const Tuning& tuning() const { return tuning_; }

 private:
  Direction decide(bool inverse, bool with_profiles) const {
    const auto* recipe = recipe_ ? recipe_->direction(inverse) : nullptr;
    auto source = source_of(tuning_, with_profiles, problem_.reproducible);
    return Director(tuning_, limit_, recipe, inverse, std::move(source)).decide(problem_);
  }

  problem::Problem problem_;
  Tuning tuning_;
  ScratchLimit limit_;
  std::optional<profile::Recipe> recipe_;
};

}  // namespace

std::string item_options(const device::Facts& facts) {
  return facts.keeps_loads ? "" : " -DIMAGO_VOLATILE_ITEM";
}

bool is_reproducible(const Options& options) {
  const char* const name = "IMAGO_REPRODUCIBLE";
  const char* const word = std::getenv(name);
  if (options.reproducible || !word || !*word) return options.reproducible;
  const std::string_view value = word;
  if (value != "0" && value != "1")
    base::invalid(name, '"' + std::string(word) + '"', "it must be 0 or 1");
  return value == "1";
}

void refuse_reproducible(const Options& options, const std::string& what) {
  if (is_reproducible(options))
    base::unsupported("options.reproducible is true, and " + what + " are not reproducible",
                      "plan without the option and without IMAGO_REPRODUCIBLE");
}

namespace {

/// Returns true if pairs are expected to take less time than doubles, by the rates of a profile or
/// of the architecture.
bool are_pairs_faster(const device::Facts& facts, const Options& options) {
  // Instructions of f32 for one of f64: 427 and 43 of a point of 4096, and moves of both.
  constexpr double kInstructions = 12;
  if (!facts.f64.native) return true;
  const device::Rates rates = model::rates_of(Tuning(facts, options).facts());
  return rates.flops_f64 * kInstructions < rates.flops;
}

}  // namespace

device::Facts facts_for(device::Facts facts, const Options& options, base::Ring ring) {
  facts.f64.ring = ring;
  if (ring != base::Ring::none) {
    facts.f64.pairs = false;
    facts.vector_f64 = std::max(1u, facts.vector_f32 / 2);  // words of 64 bits
    return facts;
  }
  const F64 f64 = f64_of(options);
  facts.f64.pairs = f64 == F64::pairs || (f64 == F64::automatic && !facts.f64.native) ||
                    (f64 == F64::fast && are_pairs_faster(facts, options));
  // The vectors hold floats.
  if (facts.f64.pairs) facts.vector_f64 = facts.vector_f32;
  return facts;
}

Blueprint decide(const problem::Computation& computation, const device::Facts& facts,
                 const Options& options) {
  return Decider(computation, facts_for(facts, options, computation.ring), options).decide(true);
}

std::optional<Blueprint> decide_generic(const problem::Computation& computation,
                                        const device::Facts& plain, const Options& options) {
  if (computation.ring != base::Ring::none) return {};
  const device::Facts facts = facts_for(plain, options);
  const auto& scratch = options.scratch;
  Parameters wishes = options.parameters;
  if (wishes.launches == Launches::several) wishes.launches = Launches::automatic;
  const bool has_wishes = wishes != Parameters() || options.recipe;
  if (has_wishes || scratch.workspace || scratch.per_call || scratch.limit > 0) return {};
  // Generic kernels need more scratch memory than others.
  const std::uint64_t most =
      std::min<std::uint64_t>(ScratchLimit::of(facts, options).bytes, facts.memory.bytes / 8);
  Blueprint blueprint;
  blueprint.problem = problem_of(computation, facts, options);
  const auto decided = [&](bool inverse, std::optional<Direction>& direction) {
    auto program = generic::make_program(blueprint.problem, inverse, facts);
    if (!program || program->scratch_bytes > most) return false;
    direction.emplace();
    direction->chunk = blueprint.problem.batch;
    direction->program = std::move(*program);
    return true;
  };
  for (const bool inverse : {false, true})
    blueprint.arguments[inverse] = blueprint.problem.arguments(inverse);
  if (blueprint.problem.has_forward() && !decided(false, blueprint.forward)) return {};
  if (blueprint.problem.has_inverse() && !decided(true, blueprint.inverse)) return {};
  collect_kernels(blueprint, facts);
  return blueprint;
}

Blueprint decide(const problem::RowBatch& rows, const device::Facts& plain,
                 const Options& options) {
  refuse_reproducible(options, "rows of different lengths");
  const device::Facts facts = facts_for(plain, options);
  check_precision(rows.transform.precision, facts, options);
  Blueprint blueprint;
  blueprint.problem = rows.as_problem();
  const auto decided = [&](bool inverse, std::optional<Direction>& direction) {
    direction.emplace();
    direction->program = generic::make_program(rows, inverse, facts);
    const device::Rates rates = model::rates_of(facts);
    // As long as a copy of the same bytes.
    direction->seconds =
        static_cast<double>(direction->program.bytes_moved) / rates.copy_bytes +
        static_cast<double>(direction->program.launches.size()) * rates.launch_seconds;
    const std::uint64_t bytes = direction->program.scratch_bytes;
    const ScratchLimit limit = ScratchLimit::of(facts, options);
    if (bytes > limit.bytes) limit.refuse("the long rows", bytes);
  };
  if (blueprint.problem.has_forward()) decided(false, blueprint.forward);
  if (blueprint.problem.has_inverse()) decided(true, blueprint.inverse);
  collect_kernels(blueprint, facts);
  return blueprint;
}

void decide_and_build(const problem::Computation& computation, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build) {
  const Decider decider(computation, facts_for(facts, options, computation.ring), options);
  auto first = decider.decide(true);
  const auto tuned = first.tuned();
  if (tuned.empty()) return build(std::move(first));
  std::string refusal;
  try {
    return build(std::move(first));
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    refusal = error.what();
  }
  build(decider.decide(false));
  for (const auto& found : tuned)
    decider.tuning().reject(found, refusal);  // without these parameters, the build succeeds
}

}  // namespace imago::engine
