// This file builds and executes plans.
#include "api/execution.hpp"

#include <algorithm>
#include <utility>

#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "engine/recipe.hpp"
#include "plan/make_program.hpp"
#include "problem/layout.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/facts.hpp"

namespace imago::api {

std::shared_ptr<const Built> Built::make(const runtime::Target& target, engine::Blueprint blueprint,
                                         device::Type type, const Options& options) {
  std::shared_ptr<Workspace::State> workspace;
  const std::size_t scratch_bytes = blueprint.workspace_bytes();
  if (options.scratch.workspace) {
    workspace = options.scratch.workspace->state_;
  } else if (blueprint.needs_workspace() && (!options.scratch.per_call || scratch_bytes == 0)) {
    // One launch needs memory for counters of work-groups, which the caller does not supply.
    workspace = std::make_shared<Workspace::State>(target.context, target.device, scratch_bytes);
  }
  return std::make_shared<const Built>(Built{
      {target, std::move(blueprint), type, engine::disk_cache(options)}, std::move(workspace)});
}

Execution::Execution(const runtime::Target& target, Kernels kernels, const ArrayNames& names)
    : context_(runtime::Handle<cl_context>::shared(target.context)),
      home_{target.context, target.device},
      names_(names),
      kernels_(std::move(kernels)),
      problem_(current()->blueprint.problem) {}

namespace {

template <class State>
void check_state(const State* scratch, cl_context context, const char* name) {
  if (!scratch) base::invalid(name, "moved from", "give a workspace that has memory");
  if (scratch->context.get() != context) {
    base::invalid(name, "of another context", "give a workspace of the plan's context");
  }
}

/// Throws if the array that a call writes overlaps buffers of hooks. Also throws if the caller's
/// workspace overlaps a buffer of hooks or one of the arrays.
void check_memory_apart(const std::array<Side, 2>& sides, const HookValues& values,
                        const Scratch& callers) {
  if (!values.values.empty()) check_apart(values, sides[1]);
  if (callers.memory == nullptr) return;
  check_apart(callers, sides);
  check_apart(callers, values);
}

}  // namespace

void Execution::check_home(const Workspace* workspace, cl_context context, const char* name) {
  check_state(workspace->state_.get(), context, name);
}

void Execution::check_workspace(const Built& built, const Workspace::State* scratch,
                                const char* name) const {
  check_state(scratch, home_.context, name);
  const std::size_t needed = built.blueprint.workspace_bytes();
  if (scratch->bytes < needed) {
    base::invalid(name, std::to_string(scratch->bytes) + " bytes",
                  "it must be at least " + std::to_string(needed));
  }
}

/// Returns the array's offset in elements of a side. In place, the caller gives it in elements of
/// the signal.
std::uint64_t Execution::offset_of(const Array& array, const problem::Side& side) const {
  const auto& problem = this->problem();
  if (problem.placement == Placement::out_of_place) return array.offset();
  const std::size_t ratio = side.element_bytes / problem.signal.element_bytes;
  if (array.offset() % ratio != 0)
    base::invalid("the offset of data", array.offset(),
                  "in place it must be even: complex numbers begin there");
  return array.offset() / ratio;
}

/// Returns the arrays that a call reads and writes.
std::array<Side, 2> Execution::sides_of(bool inverse, const Use& use) const {
  const auto& problem = this->problem();
  const bool in_place = problem.placement == Placement::in_place;
  const std::uint64_t count = use.count() == 0 ? problem.batch : use.count();
  const auto members = [&](bool store) { return problem.hooked[inverse][store] ? 0 : count; };
  const auto without = [&](bool store) {
    return (problem.batch - count) * problem.memory(inverse, store).distance;
  };
  const char* const names[] = {in_place ? "data" : names_.signal,
                               in_place ? "data" : names_.spectrum};
  return {Side{names[inverse], use.from, offset_of(use.from, problem.side(inverse, false)),
               problem.memory(inverse, false), true, in_place, members(false), without(false)},
          Side{names[!inverse], use.to, offset_of(use.to, problem.side(inverse, true)),
               problem.memory(inverse, true), in_place, true, members(true), without(true)}};
}

void Execution::check_arrays(bool inverse, const Use& use) const {
  const auto& problem = this->problem();
  const bool in_place = use.placement == Placement::in_place;
  if (use.placement != problem.placement) {
    base::invalid("the number of arrays", in_place ? 1 : 2,
                  in_place ? std::string("the transform is out of place: give a ") + names_.signal +
                                 " and a " + names_.spectrum
                           : "the transform is in place: give one array");
  }
  const auto sides = sides_of(inverse, use);
  for (const Side& side : sides) check_side(home_, side);
  if (!in_place) check_apart(sides[0], sides[1]);
}

Workspace::State* Execution::scratch_of(const Built& built, const Workspace* own) const {
  if (!own && !built.workspace)
    base::invalid("workspace", "none", "give one to the call: options.scratch.per_call is true");
  if (!own) return built.workspace.get();
  // The caller made it for kernels that the plan had before.
  if (kernels_.upgrade && own->bytes() < built.blueprint.workspace_bytes())
    return built.workspace.get();
  check_workspace(built, own->state_.get(), "workspace");
  return own->state_.get();
}

const runtime::Executable& Execution::executable_of(const Built& built, bool inverse) {
  const auto& executable = built.of(inverse);
  check_compiled(executable, inverse);
  return *executable;
}

/// Returns the kernels of a call. Generic ones compute the lines of a whole batch, so a call for
/// fewer transforms waits for those of the plan.
std::shared_ptr<const Built> Execution::kernels_for(const Use& use) const {
  const bool part = use.call.count != 0 && use.call.count < problem().batch;
  if (part && !problem().varies && !ready()) wait(std::chrono::hours(24));
  return current();
}

namespace {

/// True if the batch is the slowest dimension of an array in memory.
bool is_outermost(const problem::Problem& problem, const problem::Side& side) {
  for (std::size_t d = 0; d < side.strides.size(); ++d) {
    if (side.lengths[d] > 1 && side.strides[d] >= side.distance) return problem.batch == 1;
  }
  return true;
}

/// True if calls can compute a part of the batch.
bool takes_parts(const problem::Problem& problem, const kernel::Program& program) {
  const bool outermost =
      is_outermost(problem, problem.signal) && is_outermost(problem, problem.spectrum);
  // The rows of a batch that varies may overlap; the batch is the outermost loop in any case.
  return (problem.varies || outermost) && !program.one_launch &&
         program.launches.size() == program.steps.size() &&
         std::all_of(program.launches.begin(), program.launches.end(),
                     [&](const auto& launch) { return launch.batch % problem.batch == 0; });
}

}  // namespace

void Execution::check_count(const Built& built, bool inverse, std::uint64_t count) const {
  if (count > problem().batch)
    base::invalid("call.count", count,
                  "it must be at most the batch of the plan, " + std::to_string(problem().batch));
  if (count == 0 || count == problem().batch || problem().varies) return;
  const bool generic = built.blueprint.is_generic();
  if (generic || !takes_parts(problem(), built.blueprint.of(inverse)->program))
    base::unsupported("the kernels of this plan compute the transforms of its batch together",
                      generic
                          ? "use FirstCall::automatic or compile, or a plan for the smaller batch"
                          : "make a plan for the smaller batch");
}

/// Checks everything but the queue and the waits, for the kernels of `checked`.
void Execution::check_use(bool inverse, const Use& use, Checked& checked) const {
  check_count(*checked.built, inverse, use.count());
  check_arrays(inverse, use);
  const Built& built = *checked.built;
  const engine::Blueprint& blueprint = built.blueprint;
  const bool needs = blueprint.of(inverse)->program.needs_workspace();
  Workspace::State* const scratch =
      needs || use.call.workspace ? scratch_of(built, use.call.workspace) : nullptr;
  const bool f64 = problem().precision == Precision::f64;
  checked.hooks =
      check_arguments(home_, f64, blueprint.arguments[inverse], use.call.arguments, use.own);
  const bool callers = needs && scratch->is_callers;
  check_memory_apart(
      sides_of(inverse, use), {f64, blueprint.arguments[inverse], checked.hooks},
      callers ? Scratch{scratch->memory.get(), blueprint.workspace_bytes()} : Scratch{});
  checked.scratch = needs ? scratch : nullptr;
}

Execution::Checked Execution::check(bool inverse, const Use& use,
                                    const runtime::KnownQueue& queue) const {
  Checked checked{kernels_for(use), {}};
  executable_of(*checked.built, inverse);
  check_queue(home_, queue);
  check_waits(home_, use.call.waits);
  check_use(inverse, use, checked);
  return checked;
}

void Execution::enqueue(bool inverse, const Use& use) const {
  Checked checked{kernels_for(use), {}};
  const auto& executable = executable_of(*checked.built, inverse);
  check_queue(use.queue);
  auto lease = executable.lease(use.queue);
  check_queue(home_, lease.queue(use.queue));
  check_use(inverse, use, checked);
  enqueue(inverse, use, checked, lease);
}

void Execution::enqueue(bool inverse, const Use& use, const Checked& checked) const {
  auto lease = executable_of(*checked.built, inverse).lease(use.queue);
  enqueue(inverse, use, checked, lease);
}

void Execution::enqueue(bool inverse, const Use& use, const Checked& checked,
                        runtime::Executable::Lease& lease) const {
  if (kernels_.upgrade) kernels_.upgrade->count_call();
  const Built& built = *checked.built;
  const auto& executable = executable_of(built, inverse);
  const problem::Problem& problem = this->problem();
  runtime::Call call;
  call.queue = use.queue;
  call.in_order = lease.queue(use.queue).in_order();
  call.waits = check_waits(home_, use.call.waits);
  call.wants_event = use.call.event != nullptr;
  call.hooks = checked.hooks;
  std::vector<kernel::LaunchSize> sizes;
  if (problem.varies || (use.count() != 0 && use.count() < problem.batch))
    sizes = plan::part_of(built.blueprint.of(inverse)->program, problem.batch,
                          use.count() == 0 ? problem.batch : use.count());
  call.sizes = sizes;
  std::vector<runtime::Handle<cl_event>> events;
  if (use.call.events) call.trace = &events;
  const auto& from = problem.side(inverse, false);
  const auto& to = problem.side(inverse, true);
  call.input = {use.from.re(), use.from.im(), offset_of(use.from, from) + from.offset};
  call.output = {use.to.re(), use.to.im(), offset_of(use.to, to) + to.offset};
  runtime::Enqueued enqueued;
  if (checked.scratch)
    enqueued.last = checked.scratch->enqueue(executable, call, lease);
  else
    executable.enqueue(call, lease, enqueued);
  for (auto& event : events) use.call.events->emplace_back(event.take(), false);
  hand_over(std::move(enqueued.last), use.call.event);
}

Layout Execution::signal_layout() const {
  return problem::layout_of(problem().signal, problem().batch);
}

Layout Execution::spectrum_layout() const {
  return problem::layout_of(problem().spectrum, problem().batch);
}

std::string Execution::recipe() const {
  const auto held = current();
  const engine::Blueprint& blueprint = held->blueprint;
  return profile::to_text(
      engine::recipe_of(blueprint.is_generic() ? kernels_.decide() : blueprint));
}

namespace {

/// The arguments of a plan's constructor.
struct Wanted {
  runtime::Target target;
  problem::Computation computation;
  Options options;
};

/// True if calls can compute a part of the batch (Execution::Use::members).
bool take_parts(const engine::Blueprint& blueprint) {
  const auto covers = [&](const std::optional<engine::Direction>& direction) {
    return !direction || takes_parts(blueprint.problem, direction->program);
  };
  return blueprint.is_generic() || (covers(blueprint.forward) && covers(blueprint.inverse));
}

/// Throws Unsupported if calls must be able to compute a part of the batch, and cannot.
void check_parts(const engine::Blueprint& blueprint) {
  if (blueprint.problem.varies && !take_parts(blueprint))
    base::unsupported("the results of the largest block need several launches of a kernel",
                      "use smaller blocks: lengths[0]");
}

/// Chooses and builds the kernels for the transform itself.
std::shared_ptr<const Built> build(const Wanted& wanted) {
  const auto& [target, computation, options] = wanted;
  const auto facts = runtime::facts(target.device, engine::disk_cache(options));
  std::shared_ptr<const Built> made;
  engine::decide_and_build(computation, facts, options, [&](engine::Blueprint blueprint) {
    check_parts(blueprint);
    engine::prove(target.device, facts, blueprint, options);
    made = Built::make(target, std::move(blueprint), facts.type, options);
  });
  return made;
}

/// True if the kernels for the transform are cached, and what is known of the device.
bool is_cached(const Wanted& wanted) {
  const auto& [target, computation, options] = wanted;
  const auto disk = engine::disk_cache(options);
  if (!runtime::are_facts_known(target.device, disk)) return false;
  const auto facts = runtime::facts(target.device, disk);
  const auto blueprint = engine::decide(computation, facts, options);
  return engine::are_kernels_built(target, blueprint, facts.type, disk);
}

std::uint64_t points_of(const problem::Problem& problem) {
  std::uint64_t points = problem.batch;
  for (const std::uint64_t length : problem.lengths) points *= length;
  return points;
}

/// Returns kernels that begin as generic ones; empty if the options do not want them, or there are
/// none for the transform.
std::optional<Execution::Kernels> on_generic(const Wanted& wanted) {
  const auto& [target, computation, options] = wanted;
  const FirstCall first_call = first_call_of(options);
  if (first_call == FirstCall::compile) return {};
  const auto facts = runtime::reported_facts(target.device);
  auto blueprint = engine::decide_generic(computation, facts, options);
  const bool stays = first_call == FirstCall::generic;
  if (!blueprint || (!stays && is_cached(wanted))) return {};
  engine::prove_generic(target, facts, *blueprint, options);
  const std::uint64_t points = points_of(blueprint->problem);
  const std::string key = blueprint->problem.key() + ", batch " +
                          std::to_string(blueprint->problem.batch) + " on " + target.identity.hex();
  Execution::Kernels kernels;
  kernels.first = Built::make(target, std::move(*blueprint), facts.type, options);
  kernels.decide = [wanted] {
    const auto disk = engine::disk_cache(wanted.options);
    return engine::decide(wanted.computation, runtime::facts(wanted.target.device, disk),
                          wanted.options);
  };
  if (stays) return kernels;
  // The build may outlive the plan, and so the context's other references.
  kernels.upgrade = std::make_shared<Upgrade>(
      std::move(kernels.first), points, key,
      [wanted, context = std::make_shared<const runtime::Handle<cl_context>>(
                   runtime::Handle<cl_context>::shared(target.context))] { return build(wanted); });
  return kernels;
}

}  // namespace

std::unique_ptr<const Execution> make_execution(const cl::Context& context,
                                                const cl::Device& device,
                                                const problem::Computation& computation,
                                                const Options& options, const ArrayNames& names) {
  const Wanted wanted{engine::make_target(context(), device()), computation, options};
  if (options.scratch.workspace)
    Execution::check_home(options.scratch.workspace.get(), context(), "options.scratch.workspace");
  auto kernels = on_generic(wanted);
  if (!kernels) {
    kernels.emplace();
    kernels->first = build(wanted);
  }
  return std::make_unique<const Execution>(wanted.target, std::move(*kernels), names);
}

Estimate estimate(const cl::Device& device, const problem::Computation& computation,
                  const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  const auto blueprint = engine::decide(computation, facts, options);
  if (first_call_of(options) == FirstCall::compile ||
      !engine::decide_generic(computation, facts, options))
    check_parts(blueprint);
  return blueprint.estimate();
}

}  // namespace imago::api
