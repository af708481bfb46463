// This file builds and executes plans.
#include "api/execution.hpp"

#include <utility>

#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "engine/recipe.hpp"
#include "problem/layout.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/facts.hpp"

namespace imago::api {

Execution::Execution(const runtime::Target& target, engine::Blueprint decided, device::Type type,
                     const Options& options, const char* written)
    : context_(runtime::Handle<cl_context>::shared(target.context)),
      home_{target.context, target.device},
      blueprint_(std::move(decided)),
      written_(written) {
  const std::size_t scratch_bytes = blueprint_.workspace_bytes();
  if (options.scratch.workspace) {
    workspace_ = options.scratch.workspace->state_;
  } else if (blueprint_.needs_workspace() && (!options.scratch.per_call || scratch_bytes == 0)) {
    // One launch needs memory for counters of work-groups, which the caller does not supply.
    workspace_ = std::make_shared<Workspace::State>(target.context, target.device, scratch_bytes);
  }
  const auto disk = engine::disk_cache(options);
  const auto kernels = engine::build_kernels(target, blueprint_, type, disk);
  for (const auto& kernel : kernels)
    builds_.push_back({kernel->name(), kernel->made().compiled, kernel->made().seconds});
  forward_ = engine::make_executable(target, blueprint_.forward, kernels, disk);
  inverse_ = engine::make_executable(target, blueprint_.inverse, kernels, disk);
}

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

void Execution::check_workspace(const Workspace::State* scratch, const char* name) const {
  check_state(scratch, home_.context, name);
  if (scratch->bytes < blueprint_.workspace_bytes()) {
    base::invalid(name, std::to_string(scratch->bytes) + " bytes",
                  "it must be at least " + std::to_string(blueprint_.workspace_bytes()));
  }
}

/// Returns the array's offset in elements of a side. In place, the caller gives it in elements of
/// the signal.
std::uint64_t Execution::offset_of(const Array& array, const problem::Side& side) const {
  const auto& problem = blueprint_.problem;
  if (problem.placement == Placement::out_of_place) return array.offset();
  const std::size_t ratio = side.element_bytes / problem.signal.element_bytes;
  if (array.offset() % ratio != 0)
    base::invalid("the offset of data", array.offset(),
                  "in place it must be even: complex numbers begin there");
  return array.offset() / ratio;
}

/// Returns the arrays that a call reads and writes.
std::array<Side, 2> Execution::sides_of(bool inverse, const Use& use) const {
  const auto& problem = blueprint_.problem;
  const bool in_place = problem.placement == Placement::in_place;
  const auto members = [&](bool store) {
    return problem.hooked[inverse][store] ? 0 : problem.batch;
  };
  const char* const names[] = {in_place ? "data" : "signal", in_place ? "data" : written_};
  return {Side{names[inverse], use.from, offset_of(use.from, problem.side(inverse, false)),
               problem.memory(inverse, false), true, in_place, members(false)},
          Side{names[!inverse], use.to, offset_of(use.to, problem.side(inverse, true)),
               problem.memory(inverse, true), in_place, true, members(true)}};
}

void Execution::check_arrays(bool inverse, const Use& use) const {
  const auto& problem = blueprint_.problem;
  const bool in_place = use.placement == Placement::in_place;
  if (use.placement != problem.placement) {
    base::invalid(
        "the number of arrays", in_place ? 1 : 2,
        in_place ? std::string("the transform is out of place: give a signal and a ") + written_
                 : "the transform is in place: give one array");
  }
  const auto sides = sides_of(inverse, use);
  for (const Side& side : sides) check_side(home_, side);
  if (!in_place) check_apart(sides[0], sides[1]);
}

Workspace::State* Execution::scratch_of(const Workspace* own) const {
  if (!own && !workspace_)
    base::invalid("workspace", "none", "give one to the call: options.scratch.per_call is true");
  if (!own) return workspace_.get();
  check_workspace(own->state_.get(), "workspace");
  return own->state_.get();
}

void Execution::enqueue(bool inverse, const Use& use) const {
  const auto& executable = inverse ? inverse_ : forward_;
  if (!executable) {
    base::invalid("directions", inverse ? "forward" : "inverse",
                  inverse ? "inverse() was not compiled: use both or inverse"
                          : "forward() was not compiled: use both or forward");
  }
  check_queue(use.queue);
  auto lease = executable->lease(use.queue);
  const auto& queue = lease.queue(use.queue);
  check_queue(home_, queue);
  check_arrays(inverse, use);
  const auto& direction = inverse ? blueprint_.inverse : blueprint_.forward;
  const bool needs = direction->program.needs_workspace();
  Workspace::State* const scratch =
      needs || use.call.workspace ? scratch_of(use.call.workspace) : nullptr;

  const auto& problem = blueprint_.problem;
  runtime::Call call;
  call.queue = use.queue;
  call.in_order = queue.in_order();
  call.waits = check_waits(home_, use.call.waits);
  call.wants_event = use.call.event != nullptr;
  const auto hooks = check_arguments(home_, problem.precision == Precision::f64,
                                     blueprint_.arguments[inverse], use.call.arguments);
  const bool callers = needs && scratch->is_callers;
  check_memory_apart(
      sides_of(inverse, use),
      {problem.precision == Precision::f64, blueprint_.arguments[inverse], hooks},
      callers ? Scratch{scratch->memory.get(), blueprint_.workspace_bytes()} : Scratch{});
  call.hooks = hooks;
  const auto& from = problem.side(inverse, false);
  const auto& to = problem.side(inverse, true);
  call.input = {use.from.re(), use.from.im(), offset_of(use.from, from) + from.offset};
  call.output = {use.to.re(), use.to.im(), offset_of(use.to, to) + to.offset};
  if (needs) return hand_over(scratch->enqueue(*executable, call, lease), use.call.event);
  runtime::Enqueued enqueued;
  executable->enqueue(call, lease, enqueued);
  hand_over(std::move(enqueued.last), use.call.event);
}

Layout Execution::signal_layout() const {
  return problem::layout_of(blueprint_.problem.signal, blueprint_.problem.batch);
}

Layout Execution::spectrum_layout() const {
  return problem::layout_of(blueprint_.problem.spectrum, blueprint_.problem.batch);
}

std::string Execution::recipe() const { return profile::to_text(engine::recipe_of(blueprint_)); }

std::vector<KernelSource> Execution::sources() const {
  std::vector<KernelSource> sources;
  for (const auto& kernel : blueprint_.kernels) sources.push_back(engine::generate(kernel));
  return sources;
}

std::unique_ptr<const Execution> make_execution(const cl::Context& context,
                                                const cl::Device& device,
                                                const problem::Computation& computation,
                                                const Options& options, const char* written) {
  const auto target = engine::make_target(context(), device());
  if (options.scratch.workspace)
    Execution::check_home(options.scratch.workspace.get(), context(), "options.scratch.workspace");
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  std::unique_ptr<const Execution> made;
  engine::decide_and_build(computation, facts, options, [&](engine::Blueprint blueprint) {
    engine::prove(device(), facts, blueprint, options);
    made = std::make_unique<const Execution>(target, std::move(blueprint), facts.type, options,
                                             written);
  });
  return made;
}

Estimate estimate(const cl::Device& device, const problem::Computation& computation,
                  const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  const auto blueprint = engine::decide(computation, facts, options);
  const auto& direction = blueprint.forward ? blueprint.forward : blueprint.inverse;
  Estimate estimate;
  estimate.signal_bytes = blueprint.problem.bytes(false);
  estimate.spectrum_bytes = blueprint.problem.bytes(true);
  estimate.workspace_bytes = blueprint.workspace_bytes();
  estimate.table_bytes = blueprint.table_bytes();
  estimate.kernels = direction->program.launches.size();
  estimate.bytes_moved = direction->program.bytes_moved;
  estimate.seconds = direction->seconds;
  return estimate;
}

}  // namespace imago::api
