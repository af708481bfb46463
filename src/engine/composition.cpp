// This file is the composition root.
#include "engine/composition.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/errors.hpp"
#include "blocks/emit.hpp"
#include "engine/launches.hpp"
#include "engine/recipe.hpp"
#include "engine/scratch.hpp"
#include "engine/tuning.hpp"
#include "ir/render.hpp"
#include "lines/chunks.hpp"
#include "lines/mapping.hpp"
#include "model/model.hpp"
#include "plan/chain.hpp"
#include "plan/choice.hpp"
#include "plan/cuts.hpp"
#include "problem/make_problem.hpp"

namespace imago::engine {
namespace {

Line make_line(const lines::Request& request, const device::Facts& facts, const Choice& choice) {
  auto parameters = choice.automatic() ? plan::choose(request, facts, predicted_seconds)
                                       : plan::complete(request, facts, choice.parameters);
  auto program = plan::make_program(request, facts, parameters);
  return {request, choice.origin, std::move(parameters), std::move(program), {}};
}

/// Passes of a line's kernels; 0 where a kernel's lanes are those of vectors.
std::size_t passes(const Line& line) {
  std::size_t sum = 0;
  for (const kernel::Step& step : line.program.steps) {
    if (!step.on_work_group()) return 0;
    sum += step.passes.size();
  }
  return sum;
}

/// A tuned line, or the model's where hooks want that: what is tuned was measured without them, at
/// the wall of memory, where one pass more is in the noise. With hooks, which bring instructions
/// and take bytes away, it is not (on an H200, 1024 points of 16-bit integers as 4.16.8.2 take 15 %
/// more time than as 16.8.8).
Line fit_for_hooks(Line tuned, const Tuning& tuning) {
  if (!tuned.request.hooked() || !tuned.request.plain()) return tuned;
  Line own = make_line(tuned.request, tuning.facts(), tuning.otherwise({}));
  const bool as_many = own.program.launches.size() == tuned.program.launches.size();
  return as_many && passes(own) < passes(tuned) ? own : tuned;
}

/// With tuned parameters where they are wanted and there are some that are legal.
Line decide_line(const lines::Request& request, const Parameters& wish, const Tuning& tuning,
                 bool with_tuned) {
  if (auto found = with_tuned ? tuning.find(class_of(request)) : std::nullopt) {
    try {
      Line line = make_line(request, tuning.facts(), {found->parameters, found->text()});
      line.tuned = std::move(found);
      return fit_for_hooks(std::move(line), tuning);
    } catch (const std::exception& illegal) {  // for this device; any other would be a wrong plan
      tuning.reject(*found, illegal.what());
    }
  }
  return make_line(request, tuning.facts(), tuning.otherwise(wish));
}

/// What all lines of a direction are decided with.
struct Means {
  const Tuning& tuning;
  bool with_tuned;
  const ScratchLimit& limit;
  const profile::RecipeDirection* recipe = nullptr;  ///< where all is decided
  std::size_t part = 0;                              ///< that comes next in the recipe
};

/// The cut of a wish: whatever the device, it is said.
Parameters cut_of(const Parameters& wish, const device::Facts& facts) {
  return {.mapping = lines::mapping_of(wish.mapping, facts), .algorithm = wish.algorithm};
}

/// With what a profile holds of the whole transform; no lines where it holds nothing legal.
Direction decide_whole(const problem::Problem& problem, bool inverse, const Means& means) {
  const Tuning& tuning = means.tuning;
  const auto found = means.with_tuned ? tuning.find(class_of(problem, inverse)) : std::nullopt;
  if (!found) return {};
  Direction direction;
  direction.cut = cut_of(found->parameters, tuning.facts());
  try {
    const auto requests = plan::lines_of(problem, inverse, found->parameters, tuning.facts());
    const auto shares = plan::share(found->parameters, requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Line line = make_line(requests[i], tuning.facts(), {shares[i], found->text()});
      line.tuned = found;
      direction.lines.push_back(fit_for_hooks(std::move(line), tuning));
    }
    return direction;
  } catch (const std::exception& illegal) {  // for this device; any other would be a wrong plan
    tuning.reject(*found, illegal.what());
    return {};
  }
}

bool any_tuned(const std::vector<lines::Request>& lines, const Means& means) {
  return means.with_tuned &&
         std::any_of(lines.begin(), lines.end(), [&](const lines::Request& line) {
           return means.tuning.find(class_of(line)).has_value();
         });
}

/// By hand, or each line by what a profile holds of it, else by the model.
Direction decide_lines(const problem::Problem& problem, bool inverse, const Means& means) {
  const Tuning& tuning = means.tuning;
  const auto requests = plan::lines_of(problem, inverse, tuning.wish(), tuning.facts());
  const auto wishes = plan::share(tuning.wish(), requests);
  const auto& facts = tuning.facts();
  Direction direction;
  direction.cut = cut_of(tuning.wish(), facts);
  if (auto together = tuning.wish() == Parameters{} && !any_tuned(requests, means)
                          ? choose_for_one_launch(requests, facts)
                          : std::nullopt) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      direction.lines.push_back({requests[i],
                                 tuning.otherwise({}).origin,
                                 (*together)[i],
                                 plan::make_program(requests[i], facts, (*together)[i]),
                                 {}});
    return direction;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    direction.lines.push_back(decide_line(requests[i], wishes[i], tuning, means.with_tuned));
  return direction;
}

Direction decide_all(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction = decide_whole(problem, inverse, means);
  return direction.lines.empty() ? decide_lines(problem, inverse, means) : direction;
}

/// A line of the batch that computes what one of a lone member does.
Line line_alike(const Line& alone, const lines::Request& request, const Tuning& tuning) {
  Line line = alone;
  line.request = request;
  line.origin += ", as for a batch of 1";
  try {
    if (tuning.automatic())
      line.parameters =
          plan::choose_alike(request, tuning.facts(), predicted_seconds, alone.parameters);
  } catch (const InvalidArgument&) {
    base::unsupported(
        "options.deterministic: members that interleave are not computed as one alone",
        "lay them one after the other");
  }
  line.program = plan::make_program(request, tuning.facts(), line.parameters);
  return line;
}

/// As each member alone.
Direction decide_alike(const problem::Problem& problem, bool inverse, const Means& means) {
  const auto& tuning = means.tuning;
  Direction direction = decide_all(lines::first_members(problem, 1), inverse, means);
  if (problem.batch == 1) return direction;
  const auto requests = plan::lines_of(problem, inverse, direction.cut, tuning.facts());
  for (std::size_t i = 0; i < direction.lines.size(); ++i)
    direction.lines[i] = line_alike(direction.lines[i], requests.at(i), tuning);
  return direction;
}

/// The whole batch at once.
Direction decide_together(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction =
      problem.alike ? decide_alike(problem, inverse, means) : decide_all(problem, inverse, means);
  direction.chunk = problem.batch;
  for (const Line& line : direction.lines) kernel::append(direction.program, line.program);
  return direction;
}

/// The largest chunk of the batch whose scratch is within the limit; the smallest there can be
/// where none is.
Direction decide_chunk(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction = decide_together(problem, inverse, means);
  while (direction.program.scratch_bytes > means.limit.bytes && direction.chunk > 1 &&
         lines::separable(problem)) {
    const auto members = lines::smaller_chunk(problem.batch, direction.chunk,
                                              direction.program.scratch_bytes, means.limit.bytes);
    direction = decide_together(lines::first_members(problem, members), inverse, means);
  }
  return direction;
}

/// What needs too much scratch, and how much; nothing where all is well.
std::optional<std::pair<std::string, std::uint64_t>> excess_of(const problem::Problem& problem,
                                                               const Direction& chunk,
                                                               const Means& means) {
  const std::uint64_t needed = chunk.program.scratch_bytes, count = problem.batch / chunk.chunk;
  if (needed > means.limit.bytes)
    return std::pair(chunk.chunk == 1 ? "one transform"
                     : means.recipe   ? "what options.recipe has transformed at a time"
                                      : "the batch, whose members change places,",
                     needed);
  if (count < lines::kMostChunks) return {};
  return std::pair("the batch in at most " + std::to_string(lines::kMostChunks) + " chunks",
                   needed * (count / lines::kMostChunks + 1));
}

/// One chunk after the other; what is left of the batch may need kernels of its own.
Direction decide_direction(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction = means.recipe
                            ? follow(*means.recipe, means.part, {problem, inverse, means.tuning})
                            : decide_chunk(problem, inverse, means);
  if (const auto excess = excess_of(problem, direction, means)) {
    const auto tuned = direction.tuned();
    // The number of chunks is the batch's affair, which may not choose parameters then.
    if (tuned.empty() || (problem.alike && direction.chunk > 1))
      means.limit.refuse(excess->first, excess->second);
    for (const auto& found : tuned)
      means.tuning.reject(found, "needs more scratch than is allowed, " +
                                     std::to_string(means.limit.bytes) + " bytes");
    return decide_direction(problem, inverse, {means.tuning, false, means.limit});
  }
  const std::uint64_t chunk = direction.chunk, count = problem.batch / chunk,
                      rest = problem.batch % chunk;
  const auto distances = lines::distances_of(problem, inverse);
  lines::repeat(direction.program, count, chunk, distances);
  if (rest == 0) return direction;
  Means next = means;
  ++next.part;
  Direction last = decide_direction(lines::first_members(problem, rest), inverse, next);
  lines::move(last.program, count * chunk, distances);
  kernel::append(direction.program, last.program);
  last.program = {};
  direction.rest.push_back(std::move(last));
  return direction;
}

Direction decide_launches(Direction direction, const Means& means) {
  const auto& facts = means.tuning.facts();
  auto wish = means.recipe ? means.recipe->launches : means.tuning.wish().launches;
  const auto tuned = direction.tuned();
  if (wish == Launches::automatic && !tuned.empty()) {
    // Of both directions, one of which may be other kernels than those that were tuned.
    wish = tuned[0].parameters.launches;
    if (wish == Launches::one && !may_be_one_launch(direction.program, facts))
      wish = Launches::several;
  }
  direction.program.one_launch = wants_one_launch(direction.program, wish, facts);
  direction.seconds = model::seconds(direction.program, facts);
  return direction;
}

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

/// Kernels that both directions share are compiled once.
void collect_kernels(Blueprint& blueprint, const device::Facts& facts) {
  auto& kernels = blueprint.kernels;
  const bool alike = blueprint.problem.alike;
  for (auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (!*direction) continue;
    const auto& program = (*direction)->program;
    for (auto& code : kernel::kernels_of(program)) {
      const auto found = std::find_if(kernels.begin(), kernels.end(),
                                      [&](const Kernel& kernel) { return kernel.code == code; });
      (*direction)->kernels.push_back(found - kernels.begin());
      if (found != kernels.end()) continue;
      const std::size_t bytes = table_bytes_of(program, code);
      const std::string options = code.one_launch() ? "-cl-std=" + facts.waiting : kBuildOptions;
      kernels.push_back({std::move(code), bytes,
                         options + item_options(facts) + (alike ? kAsWrittenOption : ""),
                         !facts.keeps_loads, alike});
    }
  }
}

problem::Problem problem_of(const Transform& transform, const device::Facts& facts,
                            const Options& options) {
  auto problem = problem::make_problem(transform);
  problem.alike = options.deterministic;
  if (problem.precision == Precision::f64 && !facts.f64) {
    base::unsupported("the device \"" + facts.name + "\" has no double precision",
                      "use Precision::f32 or another device");
  }
  return problem;
}

/// All that a plan is decided from.
class Decider {
 public:
  Decider(const Transform& transform, const device::Facts& facts, const Options& options)
      : transform_(transform),
        problem_(problem_of(transform, facts, options)),
        tuning_(facts, options),
        limit_(ScratchLimit::of(facts, options)),
        recipe_(recipe_for(problem_, options)) {
    if (recipe_) problem_.alike = recipe_->deterministic;
  }

  Blueprint decide(bool with_tuned) const {
    Blueprint blueprint;
    blueprint.transform = transform_;
    blueprint.problem = problem_;
    for (const bool inverse : {false, true})
      blueprint.arguments[inverse] = problem_.arguments(inverse);
    if (problem_.has_forward()) blueprint.forward = decide(false, with_tuned);
    if (problem_.has_inverse()) blueprint.inverse = decide(true, with_tuned);
    collect_kernels(blueprint, tuning_.facts());
    if (recipe_) check_followed(*recipe_, blueprint);
    return blueprint;
  }

  const Tuning& tuning() const { return tuning_; }

 private:
  Direction decide(bool inverse, bool with_tuned) const {
    const Means means{tuning_, with_tuned, limit_, recipe_ ? recipe_->direction(inverse) : nullptr};
    return decide_launches(decide_direction(problem_, inverse, means), means);
  }

  const Transform& transform_;
  problem::Problem problem_;
  Tuning tuning_;
  ScratchLimit limit_;
  std::optional<profile::Recipe> recipe_;
};

}  // namespace

std::string item_options(const device::Facts& facts) {
  return facts.keeps_loads ? "" : " -DIMAGO_VOLATILE_ITEM";
}

Blueprint decide(const Transform& transform, const device::Facts& facts, const Options& options) {
  return Decider(transform, facts, options).decide(true);
}

void decide_and_build(const Transform& transform, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build) {
  const Decider decider(transform, facts, options);
  auto first = decider.decide(true);
  const auto tuned = first.tuned();
  if (tuned.empty()) return build(std::move(first));
  std::string refusal;
  try {
    return build(std::move(first));
  } catch (const Error& error) {
    refusal = error.what();
  }
  build(decider.decide(false));
  for (const auto& found : tuned)
    decider.tuning().reject(found, refusal);  // it was those parameters: without them it works
}

KernelSource generate(const Kernel& kernel) {
  ir::Kernel code = blocks::emit(kernel.code);
  code.volatile_item = kernel.volatile_item;
  code.as_written = kernel.as_written;
  return {kernel.code.name(), ir::render(code), kernel.options};
}

std::string anonymous_source(const Kernel& kernel) {
  std::string source = generate(kernel).source;
  const std::string name = kernel.code.name();
  for (auto at = source.find(name); at != std::string::npos; at = source.find(name, at))
    source.replace(at, name.size(), "kernel");
  return source;
}

}  // namespace imago::engine
