// This file is the composition root.
#include "engine/composition.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "blocks/emit.hpp"
#include "engine/launches.hpp"
#include "engine/scratch.hpp"
#include "engine/tuning.hpp"
#include "ir/render.hpp"
#include "model/model.hpp"
#include "plan/choice.hpp"
#include "plan/chunks.hpp"
#include "plan/describe.hpp"
#include "plan/lines.hpp"

namespace imago::engine {
namespace {

Line make_line(const plan::Request& request, const device::Facts& facts, const Choice& choice) {
  auto parameters = choice.automatic() ? plan::choose(request, facts, predicted_seconds)
                                       : plan::complete(request, facts, choice.parameters);
  auto program = plan::make_program(request, facts, parameters);
  return {request, choice.origin, std::move(parameters), std::move(program), {}};
}

/// Passes of a line's kernels; 0 where a kernel's lanes are those of vectors.
std::size_t passes(const Line& line) {
  std::size_t sum = 0;
  for (const plan::Step& step : line.program.steps) {
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
Line decide_line(const plan::Request& request, const Parameters& wish, const Tuning& tuning,
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

/// What all lines of both directions are decided with.
struct Means {
  const Tuning& tuning;
  bool with_tuned;
  const ScratchLimit& limit;
};

/// With what a profile holds of the whole transform; nothing where it holds nothing legal.
std::vector<Line> decide_whole(const problem::Problem& problem, bool inverse, const Means& means) {
  const Tuning& tuning = means.tuning;
  const auto found = means.with_tuned ? tuning.find(class_of(problem, inverse)) : std::nullopt;
  if (!found) return {};
  std::vector<Line> lines;
  try {
    const auto requests = plan::lines(problem, inverse, found->parameters, tuning.facts());
    const auto shares = plan::share(found->parameters, requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Line line = make_line(requests[i], tuning.facts(), {shares[i], found->text()});
      line.tuned = found;
      line.whole = true;
      lines.push_back(fit_for_hooks(std::move(line), tuning));
    }
    return lines;
  } catch (const std::exception& illegal) {  // for this device; any other would be a wrong plan
    tuning.reject(*found, illegal.what());
    return {};
  }
}

bool any_tuned(const std::vector<plan::Request>& lines, const Means& means) {
  return means.with_tuned &&
         std::any_of(lines.begin(), lines.end(), [&](const plan::Request& line) {
           return means.tuning.find(class_of(line)).has_value();
         });
}

/// By hand, or each line by what a profile holds of it, else by the model.
std::vector<Line> decide_lines(const problem::Problem& problem, bool inverse, const Means& means) {
  const Tuning& tuning = means.tuning;
  const auto requests = plan::lines(problem, inverse, tuning.wish(), tuning.facts());
  const auto wishes = plan::share(tuning.wish(), requests);
  const auto& facts = tuning.facts();
  std::vector<Line> lines;
  if (auto together = tuning.wish() == Parameters{} && !any_tuned(requests, means)
                          ? choose_for_one_launch(requests, facts)
                          : std::nullopt) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      lines.push_back({requests[i],
                       tuning.otherwise({}).origin,
                       (*together)[i],
                       plan::make_program(requests[i], facts, (*together)[i]),
                       {}});
    return lines;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    lines.push_back(decide_line(requests[i], wishes[i], tuning, means.with_tuned));
  return lines;
}

std::vector<Line> decide_all(const problem::Problem& problem, bool inverse, const Means& means) {
  auto lines = decide_whole(problem, inverse, means);
  return lines.empty() ? decide_lines(problem, inverse, means) : lines;
}

/// A line of the batch that computes what one of a lone member does.
Line line_alike(const Line& alone, const plan::Request& request, const Tuning& tuning) {
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
std::vector<Line> decide_alike(const problem::Problem& problem, bool inverse, const Means& means) {
  const auto& tuning = means.tuning;
  const auto alone = decide_all(plan::first_members(problem, 1), inverse, means);
  if (problem.batch == 1) return alone;
  const bool whole = alone[0].tuned && alone[0].whole;
  const auto requests = plan::lines(
      problem, inverse, whole ? alone[0].tuned->parameters : tuning.wish(), tuning.facts());
  std::vector<Line> lines;
  for (std::size_t i = 0; i < alone.size(); ++i)
    lines.push_back(line_alike(alone[i], requests.at(i), tuning));
  return lines;
}

/// The whole batch at once.
Direction decide_together(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction;
  direction.chunk = problem.batch;
  direction.lines =
      problem.alike ? decide_alike(problem, inverse, means) : decide_all(problem, inverse, means);
  for (const Line& line : direction.lines) plan::append(direction.program, line.program);
  return direction;
}

/// The largest chunk of the batch whose scratch is within the limit; the smallest there can be
/// where none is.
Direction decide_chunk(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction = decide_together(problem, inverse, means);
  while (direction.program.scratch_bytes > means.limit.bytes && direction.chunk > 1 &&
         plan::separable(problem)) {
    const auto members = plan::smaller_chunk(problem.batch, direction.chunk,
                                             direction.program.scratch_bytes, means.limit.bytes);
    direction = decide_together(plan::first_members(problem, members), inverse, means);
  }
  return direction;
}

/// What needs too much scratch, and how much; nothing where all is well.
std::optional<std::pair<std::string, std::uint64_t>> excess_of(const problem::Problem& problem,
                                                               const Direction& chunk,
                                                               const ScratchLimit& limit) {
  const std::uint64_t needed = chunk.program.scratch_bytes, count = problem.batch / chunk.chunk;
  if (needed > limit.bytes)
    return std::pair(chunk.chunk == 1 ? "one transform" : "the batch, whose members change places,",
                     needed);
  if (count < plan::kMostChunks) return {};
  return std::pair("the batch in at most " + std::to_string(plan::kMostChunks) + " chunks",
                   needed * (count / plan::kMostChunks + 1));
}

std::vector<profile::Found> tuned_lines(const Direction& direction) {
  std::vector<profile::Found> found;
  for (const Line& line : direction.lines) {
    if (line.tuned) found.push_back(*line.tuned);
  }
  return found;
}

/// One chunk after the other; what is left of the batch may need kernels of its own.
Direction decide_direction(const problem::Problem& problem, bool inverse, const Means& means) {
  Direction direction = decide_chunk(problem, inverse, means);
  if (const auto excess = excess_of(problem, direction, means.limit)) {
    const auto tuned = tuned_lines(direction);
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
  const auto distances = plan::distances_of(problem, inverse);
  plan::repeat(direction.program, count, chunk, distances);
  if (rest == 0) return direction;
  Direction last = decide_direction(plan::first_members(problem, rest), inverse, means);
  plan::move(last.program, count * chunk, distances);
  plan::append(direction.program, last.program);
  return direction;
}

Direction decide_launches(Direction direction, const Means& means) {
  const auto& facts = means.tuning.facts();
  auto wish = means.tuning.wish().launches;
  const auto tuned = tuned_lines(direction);
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

std::size_t table_bytes_of(const plan::Program& program, const plan::Kernel& kernel) {
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
    for (auto& code : plan::kernels_of(program)) {
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

Blueprint blueprint_of(const Transform& transform, const problem::Problem& problem,
                       const Means& means) {
  Blueprint blueprint;
  blueprint.transform = transform;
  blueprint.problem = problem;
  for (const bool inverse : {false, true})
    blueprint.arguments[inverse] = problem.arguments(inverse);
  const auto decide = [&](bool inverse) {
    return decide_launches(decide_direction(problem, inverse, means), means);
  };
  if (problem.has_forward()) blueprint.forward = decide(false);
  if (problem.has_inverse()) blueprint.inverse = decide(true);
  collect_kernels(blueprint, means.tuning.facts());
  return blueprint;
}

std::vector<const Direction*> directions(const Blueprint& blueprint) {
  std::vector<const Direction*> found;
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (*direction) found.push_back(&**direction);
  }
  return found;
}

}  // namespace

std::string item_options(const device::Facts& facts) {
  return facts.keeps_loads ? "" : " -DIMAGO_VOLATILE_ITEM";
}

Parameters Direction::parameters() const {
  plan::Cut cut;
  std::vector<Parameters> each;
  for (const Line& line : lines) {
    cut.lines.push_back(line.request);
    each.push_back(line.parameters);
  }
  Parameters joined = plan::join(each, cut);
  if (program.launches.size() > 1)
    joined.launches = program.one_launch ? Launches::one : Launches::several;
  return joined;
}

std::vector<profile::Found> Blueprint::tuned() const {
  std::vector<profile::Found> found;
  for (const auto* d : directions(*this)) {
    const auto more = tuned_lines(*d);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

std::size_t Blueprint::workspace_bytes() const {
  std::size_t most = 0;
  for (const auto* d : directions(*this)) most = std::max(most, d->program.scratch_bytes);
  return most;
}

bool Blueprint::needs_workspace() const {
  const auto all = directions(*this);
  return std::any_of(all.begin(), all.end(),
                     [](const Direction* d) { return d->program.needs_workspace(); });
}

std::size_t Blueprint::table_bytes() const {
  std::set<plan::Table> tables;
  for (const auto* d : directions(*this))
    tables.insert(d->program.tables.begin(), d->program.tables.end());
  std::size_t bytes = 0;
  for (const auto& table : tables) bytes += table.bytes();
  return bytes;
}

std::string Blueprint::describe() const {
  std::string text = problem.key() + ", batch " + std::to_string(problem.batch) + "\n";
  for (const auto* d : directions(*this)) {
    text += inverse && d == &*inverse ? "inverse\n" : "forward\n";
    if (d->chunk < problem.batch)
      text += "  in " + std::to_string(base::ceil_divide(problem.batch, d->chunk)) + " chunks of " +
              std::to_string(d->chunk) + " transforms, through " +
              std::to_string(d->program.scratch_bytes) + " bytes of scratch\n";
    if (d->program.one_launch) text += "  in one launch\n";
    std::size_t launch = 1;
    for (const Line& line : d->lines) {
      text += "  " + line.origin + "\n";
      text += plan::describe(line.program, line.request, launch);
      launch += line.program.launches.size();
    }
  }
  return text;
}

Blueprint decide(const Transform& transform, const device::Facts& facts, const Options& options) {
  const auto problem = problem_of(transform, facts, options);
  const Tuning tuning(facts, options);
  const auto limit = ScratchLimit::of(facts, options);
  return blueprint_of(transform, problem, {tuning, true, limit});
}

void decide_and_build(const Transform& transform, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build) {
  const auto problem = problem_of(transform, facts, options);
  const Tuning tuning(facts, options);
  const auto limit = ScratchLimit::of(facts, options);
  auto first = blueprint_of(transform, problem, {tuning, true, limit});
  const auto tuned = first.tuned();
  if (tuned.empty()) return build(std::move(first));
  std::string refusal;
  try {
    return build(std::move(first));
  } catch (const Error& error) {
    refusal = error.what();
  }
  build(blueprint_of(transform, problem, {tuning, false, limit}));
  for (const auto& found : tuned)
    tuning.reject(found, refusal);  // it was those parameters: without them it works
}

KernelSource generate(const Kernel& kernel) {
  ir::Kernel code = blocks::emit(kernel.code);
  code.volatile_item = kernel.volatile_item;
  code.as_written = kernel.as_written;
  return {kernel.code.name(), ir::render(code), kernel.options};
}

}  // namespace imago::engine
