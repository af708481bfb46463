// This file is the composition root.
#include "api/composition.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include "api/tuning.hpp"
#include "base/errors.hpp"
#include "blocks/emit.hpp"
#include "ir/render.hpp"
#include "model/model.hpp"
#include "plan/choice.hpp"

namespace imago::api {
namespace {

plan::Request make_request(const problem::Problem& problem, bool inverse) {
  plan::Request request;
  request.length = problem.length;
  request.batch = problem.batch;
  request.precision = problem.precision;
  request.placement = problem.placement;
  request.inverse = inverse;
  request.scale = inverse ? problem.inverse_scale : problem.forward_scale;
  request.in_distance = (inverse ? problem.spectrum : problem.signal).distance;
  request.out_distance = (inverse ? problem.signal : problem.spectrum).distance;
  return request;
}

Direction decide_direction(const plan::Request& request, const device::Facts& facts,
                           const Choice& choice) {
  Direction direction{request, choice.origin, {}, {}};
  const auto parameters = choice.parameters == Parameters{}
                              ? plan::choose(request, facts, model::seconds)
                              : plan::complete(request, facts, choice.parameters);
  direction.program = plan::make_program(request, facts, parameters);
  return direction;
}

/// Nothing where none are tuned or they are illegal.
std::optional<Direction> decide_tuned(const plan::Request& request, const Tuning& tuning) {
  if (!tuning.tuned()) return std::nullopt;
  try {
    return decide_direction(request, tuning.facts(), *tuning.tuned());
  } catch (const std::exception& illegal) {  // for this device; any other would be a wrong plan
    tuning.reject(illegal.what());
    return std::nullopt;
  }
}

problem::Problem problem_of(const Transform& transform, const device::Facts& facts) {
  auto problem = problem::make_problem(transform);
  if (problem.precision == Precision::f64 && !facts.f64) {
    base::unsupported("the device \"" + facts.name + "\" has no double precision",
                      "use Precision::f32 or another device");
  }
  return problem;
}

std::size_t table_bytes_of(const plan::Program& program, std::size_t step) {
  for (const auto& launch : program.launches) {
    if (launch.step == step && launch.table >= 0) return program.tables.at(launch.table).bytes();
  }
  return 0;
}

/// Steps that both directions share are compiled once.
void collect_kernels(Blueprint& blueprint) {
  auto& kernels = blueprint.kernels;
  for (auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (!*direction) continue;
    const auto& program = (*direction)->program;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      const auto& step = program.steps[i];
      const auto found = std::find_if(kernels.begin(), kernels.end(),
                                      [&](const Kernel& kernel) { return kernel.step == step; });
      (*direction)->kernels.push_back(found - kernels.begin());
      if (found == kernels.end()) kernels.push_back({step, table_bytes_of(program, i)});
    }
  }
}

Blueprint blueprint_of(const Transform& transform, const problem::Problem& problem,
                       const Tuning& tuning, bool with_tuned) {
  Blueprint blueprint;
  blueprint.transform = transform;
  blueprint.problem = problem;
  const auto decide = [&](bool inverse) {
    const auto request = make_request(problem, inverse);
    if (with_tuned) {
      if (auto direction = decide_tuned(request, tuning)) {
        blueprint.tuned = true;
        return std::move(*direction);
      }
    }
    return decide_direction(request, tuning.facts(), tuning.otherwise());
  };
  if (problem.has_forward()) blueprint.forward = decide(false);
  if (problem.has_inverse()) blueprint.inverse = decide(true);
  collect_kernels(blueprint);
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

std::size_t Blueprint::workspace_bytes() const {
  std::size_t most = 0;
  for (const auto* d : directions(*this)) most = std::max(most, d->program.scratch_bytes);
  return most;
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
    text += d->request.inverse ? "inverse\n" : "forward\n";
    text += "  " + d->origin + "\n";
    text += plan::describe(d->program, d->request);
    if (text.back() != '\n') text += '\n';
  }
  return text;
}

Blueprint decide(const Transform& transform, const device::Facts& facts, const Options& options) {
  const auto problem = problem_of(transform, facts);
  return blueprint_of(transform, problem, Tuning(problem, facts, options), true);
}

void decide_and_build(const Transform& transform, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build) {
  const auto problem = problem_of(transform, facts);
  const Tuning tuning(problem, facts, options);
  auto first = blueprint_of(transform, problem, tuning, true);
  if (!first.tuned) return build(std::move(first));
  std::string refusal;
  try {
    return build(std::move(first));
  } catch (const Error& error) {
    refusal = error.what();
  }
  build(blueprint_of(transform, problem, tuning, false));
  tuning.reject(refusal);  // it was those parameters: without them it works
}

KernelSource generate(const plan::Step& step) {
  return {step.name(), ir::render(blocks::emit(step)), kBuildOptions};
}

}  // namespace imago::api
