// This file implements Plan: it owns what the composition root decided and executes it.
#include <imago/plan.hpp>

#include <array>
#include <utility>

#include "api/arguments.hpp"
#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "engine/recipe.hpp"
#include "problem/layout.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/executable.hpp"
#include "runtime/facts.hpp"

namespace imago {
Array::Array(const cl::Buffer& buffer, std::size_t offset)
    : re_(buffer()), im_(nullptr), offset_(offset) {}

Array Array::planar(const cl::Buffer& re, const cl::Buffer& im, std::size_t offset) {
  return {re(), im(), offset};
}

// The class is exported, its inside is not.
struct [[gnu::visibility("hidden")]] Plan::State {
  State(const runtime::Target& target, engine::Blueprint decided, device::Type type,
        const Options& options);

  /// What a user passes to forward() or inverse().
  struct Use {
    cl_command_queue queue;
    const Array& from;
    const Array& to;
    Placement placement;
    const Call& call;
  };
  void execute(bool inverse, const Use& use) const;
  /// Throws where a workspace has no memory, or none of the context.
  static void check_home(const Workspace::State* scratch, cl_context context, const char* name);

  runtime::Handle<cl_context> context;  ///< declared first: the last to go
  api::Home home;
  engine::Blueprint blueprint;
  std::vector<KernelBuild> builds;  ///< of the blueprint's kernels
  std::unique_ptr<const runtime::Executable> forward, inverse;
  std::shared_ptr<Workspace::State> workspace;  ///< null where none is needed

 private:
  void check_workspace(const Workspace::State* scratch, const char* name) const;
  std::uint64_t offset_of(const Array& array, const problem::Side& side) const;
  void check_arrays(bool inverse, const Use& use) const;
  void check_arguments_apart(bool inverse, const Use& use,
                             const std::vector<runtime::HookValue>& values) const;
  void check_scratch_apart(bool inverse, const Use& use, const Workspace::State& scratch,
                           const std::vector<runtime::HookValue>& values) const;
  api::HookValues hook_values(bool inverse, const std::vector<runtime::HookValue>& values) const {
    return {blueprint.problem.precision == Precision::f64, blueprint.arguments[inverse], values};
  }
  std::array<api::Side, 2> sides_of(bool inverse, const Use& use) const;
  Workspace::State* scratch_of(const Workspace* own) const;
};

Plan::State::State(const runtime::Target& target, engine::Blueprint decided, device::Type type,
                   const Options& options)
    : context(runtime::Handle<cl_context>::shared(target.context)),
      home{target.context, target.device},
      blueprint(std::move(decided)) {
  const std::size_t scratch_bytes = blueprint.workspace_bytes();
  if (options.scratch.workspace) {
    workspace = options.scratch.workspace->state_;
  } else if (blueprint.needs_workspace() && (!options.scratch.per_call || scratch_bytes == 0)) {
    // One launch counts its work-groups, which is no scratch of the caller's.
    workspace = std::make_shared<Workspace::State>(target.context, target.device, scratch_bytes);
  }
  const auto disk = engine::disk_cache(options);
  const auto kernels = engine::build_kernels(target, blueprint, type, disk);
  for (const auto& kernel : kernels)
    builds.push_back({kernel->name(), kernel->made().compiled, kernel->made().seconds});
  forward = engine::make_executable(target, blueprint.forward, kernels, disk);
  inverse = engine::make_executable(target, blueprint.inverse, kernels, disk);
}

void Plan::State::check_home(const Workspace::State* scratch, cl_context context,
                             const char* name) {
  if (!scratch) base::invalid(name, "moved from", "give a workspace that has memory");
  if (scratch->context.get() != context) {
    base::invalid(name, "of another context", "give a workspace of the plan's context");
  }
}

void Plan::State::check_workspace(const Workspace::State* scratch, const char* name) const {
  check_home(scratch, home.context, name);
  if (scratch->bytes < blueprint.workspace_bytes()) {
    base::invalid(name, std::to_string(scratch->bytes) + " bytes",
                  "the plan needs " + std::to_string(blueprint.workspace_bytes()));
  }
}

/// The array's offset in elements of a side: in place the caller gives it in those of the signal.
std::uint64_t Plan::State::offset_of(const Array& array, const problem::Side& side) const {
  const auto& problem = blueprint.problem;
  if (problem.placement == Placement::out_of_place) return array.offset();
  const std::size_t ratio = side.element_bytes / problem.signal.element_bytes;
  if (array.offset() % ratio != 0)
    base::invalid("the offset of data", array.offset(),
                  "real data in place: it must be even, for complex numbers begin there");
  return array.offset() / ratio;
}

/// The arrays that a call reads and writes.
std::array<api::Side, 2> Plan::State::sides_of(bool inverse, const Use& use) const {
  const auto& problem = blueprint.problem;
  const bool in_place = problem.placement == Placement::in_place;
  const auto members = [&](bool store) {
    return problem.hooked[inverse][store] ? 0 : problem.batch;
  };
  const char* const names[] = {in_place ? "data" : "signal", in_place ? "data" : "spectrum"};
  return {api::Side{names[inverse], use.from, offset_of(use.from, problem.side(inverse, false)),
                    problem.memory(inverse, false), true, in_place, members(false)},
          api::Side{names[!inverse], use.to, offset_of(use.to, problem.side(inverse, true)),
                    problem.memory(inverse, true), in_place, true, members(true)}};
}

void Plan::State::check_arrays(bool inverse, const Use& use) const {
  const auto& problem = blueprint.problem;
  const bool in_place = use.placement == Placement::in_place;
  if (use.placement != problem.placement) {
    base::invalid("the number of arrays", in_place ? 1 : 2,
                  in_place ? "the transform is out of place: give a signal and a spectrum"
                           : "the transform is in place: give one array");
  }
  const auto sides = sides_of(inverse, use);
  for (const api::Side& side : sides) api::check_side(home, side);
  if (!in_place) api::check_apart(sides[0], sides[1]);
}

void Plan::State::check_arguments_apart(bool inverse, const Use& use,
                                        const std::vector<runtime::HookValue>& values) const {
  if (values.empty()) return;
  api::check_apart(hook_values(inverse, values), sides_of(inverse, use)[1]);
}

void Plan::State::check_scratch_apart(bool inverse, const Use& use, const Workspace::State& scratch,
                                      const std::vector<runtime::HookValue>& values) const {
  if (!scratch.is_callers) return;
  const api::Scratch used{scratch.memory.get(), blueprint.workspace_bytes()};
  api::check_apart(used, sides_of(inverse, use));
  api::check_apart(used, hook_values(inverse, values));
}

Workspace::State* Plan::State::scratch_of(const Workspace* own) const {
  if (!own && !workspace)
    base::invalid("workspace", "none", "the plan makes none: options.scratch.per_call is true");
  if (!own) return workspace.get();
  check_workspace(own->state_.get(), "workspace");
  return own->state_.get();
}

void Plan::State::execute(bool inverse_wanted, const Use& use) const {
  const auto& executable = inverse_wanted ? inverse : forward;
  if (!executable) {
    base::invalid("directions", inverse_wanted ? "forward" : "inverse",
                  inverse_wanted ? "inverse() was not compiled" : "forward() was not compiled");
  }
  api::check_queue(use.queue);
  auto lease = executable->lease(use.queue);
  const auto& queue = lease.queue(use.queue);
  api::check_queue(home, queue);
  check_arrays(inverse_wanted, use);
  const auto& direction = inverse_wanted ? blueprint.inverse : blueprint.forward;
  const bool needs = direction->program.needs_workspace();
  Workspace::State* const scratch =
      needs || use.call.workspace ? scratch_of(use.call.workspace) : nullptr;

  const auto& problem = blueprint.problem;
  runtime::Call call;
  call.queue = use.queue;
  call.in_order = queue.in_order();
  call.waits = api::check_waits(home, use.call.waits);
  call.wants_event = use.call.event != nullptr;
  const auto hooks = api::check_arguments(home, problem.precision == Precision::f64,
                                          blueprint.arguments[inverse_wanted], use.call.arguments);
  check_arguments_apart(inverse_wanted, use, hooks);
  if (needs) check_scratch_apart(inverse_wanted, use, *scratch, hooks);
  call.hooks = hooks;
  const auto& from = problem.side(inverse_wanted, false);
  const auto& to = problem.side(inverse_wanted, true);
  call.input = {use.from.re(), use.from.im(), offset_of(use.from, from) + from.offset};
  call.output = {use.to.re(), use.to.im(), offset_of(use.to, to) + to.offset};
  if (needs) return api::hand_over(scratch->enqueue(*executable, call, lease), use.call.event);
  runtime::Enqueued enqueued;
  executable->enqueue(call, lease, enqueued);
  api::hand_over(std::move(enqueued.last), use.call.event);
}

Plan::Plan(const cl::Context& context, const cl::Device& device, Transform transform,
           const Options& options) {
  const auto target = engine::make_target(context(), device());
  if (options.scratch.workspace)
    State::check_home(options.scratch.workspace->state_.get(), context(),
                      "options.scratch.workspace");
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  engine::decide_and_build(transform, facts, options, [&](engine::Blueprint blueprint) {
    engine::prove(device(), facts, blueprint, options);
    state_ = std::make_unique<const State>(target, std::move(blueprint), facts.type, options);
  });
}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

void Plan::forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                   const Call& call) const {
  api::held(state_).execute(false, {queue(), signal, spectrum, Placement::out_of_place, call});
}
void Plan::forward(const cl::CommandQueue& queue, const Array& data, const Call& call) const {
  api::held(state_).execute(false, {queue(), data, data, Placement::in_place, call});
}
void Plan::inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
                   const Call& call) const {
  api::held(state_).execute(true, {queue(), spectrum, signal, Placement::out_of_place, call});
}
void Plan::inverse(const cl::CommandQueue& queue, const Array& data, const Call& call) const {
  api::held(state_).execute(true, {queue(), data, data, Placement::in_place, call});
}

const Transform& Plan::transform() const { return api::held(state_).blueprint.transform; }
std::size_t Plan::signal_bytes() const { return api::held(state_).blueprint.problem.bytes(false); }
std::size_t Plan::spectrum_bytes() const { return api::held(state_).blueprint.problem.bytes(true); }
Layout Plan::signal_layout() const {
  const auto& problem = api::held(state_).blueprint.problem;
  return problem::layout_of(problem.signal, problem.batch);
}
Layout Plan::spectrum_layout() const {
  const auto& problem = api::held(state_).blueprint.problem;
  return problem::layout_of(problem.spectrum, problem.batch);
}
std::size_t Plan::workspace_bytes() const { return api::held(state_).blueprint.workspace_bytes(); }
std::size_t Plan::table_bytes() const { return api::held(state_).blueprint.table_bytes(); }
std::string Plan::describe() const { return api::held(state_).blueprint.describe(); }
std::string Plan::recipe() const {
  return profile::to_text(engine::recipe_of(api::held(state_).blueprint));
}
std::vector<KernelSource> Plan::sources() const {
  std::vector<KernelSource> sources;
  for (const auto& kernel : api::held(state_).blueprint.kernels) {
    sources.push_back(engine::generate(kernel));
  }
  return sources;
}
std::vector<KernelBuild> Plan::builds() const { return api::held(state_).builds; }

Estimate estimate(const cl::Device& device, const Transform& transform, const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  const auto blueprint = engine::decide(transform, facts, options);
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

}  // namespace imago
