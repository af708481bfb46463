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
#include "plan/lines.hpp"

namespace imago::api {
namespace {

Line make_line(const plan::Request& request, const device::Facts& facts, const Choice& choice) {
  const auto parameters = choice.automatic() ? plan::choose(request, facts, model::seconds)
                                             : plan::complete(request, facts, choice.parameters);
  return {request, choice.origin, plan::make_program(request, facts, parameters)};
}

/// With tuned parameters where there are some that are legal.
Line decide_line(const plan::Request& request, const Parameters& wish, const Tuning& tuning) {
  if (const auto found = tuning.find(request)) {
    try {
      return make_line(request, tuning.facts(), {found->parameters, found->text()});
    } catch (const std::exception& illegal) {  // for this device; any other would be a wrong plan
      tuning.reject(*found, illegal.what());
    }
  }
  return make_line(request, tuning.facts(), tuning.otherwise(wish));
}

Direction decide_direction(const problem::Problem& problem, bool inverse, const Parameters& wish,
                           const Tuning& tuning) {
  const auto mapping = plan::mapping_of(wish.mapping, tuning.facts());
  const auto requests = plan::lines(problem, inverse, mapping, tuning.facts());
  const auto wishes = plan::share(wish, requests);
  Direction direction;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    direction.lines.push_back(decide_line(requests[i], wishes[i], tuning));
    plan::append(direction.program, direction.lines.back().program);
  }
  return direction;
}

void check_device(const problem::Problem& problem, const device::Facts& facts) {
  if (problem.precision == Precision::f64 && !facts.f64) {
    base::unsupported("the device \"" + facts.name + "\" has no double precision",
                      "use Precision::f32 or another device");
  }
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
    text += d->lines.front().request.inverse ? "inverse\n" : "forward\n";
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
  Blueprint blueprint;
  blueprint.transform = transform;
  blueprint.problem = problem::make_problem(transform);
  check_device(blueprint.problem, facts);
  const Tuning tuning(facts, options);
  if (blueprint.problem.has_forward()) {
    blueprint.forward = decide_direction(blueprint.problem, false, options.parameters, tuning);
  }
  if (blueprint.problem.has_inverse()) {
    blueprint.inverse = decide_direction(blueprint.problem, true, options.parameters, tuning);
  }
  collect_kernels(blueprint);
  return blueprint;
}

KernelSource generate(const plan::Step& step) {
  return {step.name(), ir::render(blocks::emit(step)), kBuildOptions};
}

}  // namespace imago::api
