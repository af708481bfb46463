// This file implements RaggedPlan: an execution of generic kernels of rows.
#include <imago/ragged.hpp>

#include <memory>
#include <utility>

#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "problem/rows.hpp"
#include "runtime/facts.hpp"

namespace imago {
namespace {

/// Throws for options that rows do not have.
void check_row_options(const cl::Device& device, const Options& options) {
  api::check_start(device, options);
  if (options.parameters != Parameters())
    base::invalid("options.parameters", "given", "rows of different lengths have none");
  if (options.deterministic)
    base::unsupported("options.deterministic is true, and a plan of rows has generic kernels",
                      "make a Plan for each length");
}

RowLayout filled_layout(const problem::RowSide& side, std::size_t batch) {
  RowLayout layout;
  layout.offsets.assign(side.offsets.begin(), side.offsets.end());
  layout.stride = side.stride;
  layout.distance = batch > 1 ? side.distance : 0;
  return layout;
}

/// Returns what rows must know of a device: on a GPU its local memory, which a test kernel
/// measures.
device::Facts row_facts(cl_device_id device, const Options& options) {
  const auto reported = runtime::reported_facts(device);
  if (reported.type == device::Type::cpu) return reported;
  return runtime::facts(device, engine::disk_cache(options));
}

std::unique_ptr<const api::Execution> make_row_execution(const cl::Context& context,
                                                         const cl::Device& device,
                                                         const problem::RowBatch& rows,
                                                         const Options& options) {
  const auto target = engine::make_target(context(), device());
  if (options.scratch.workspace)
    api::Execution::check_home(options.scratch.workspace.get(), context(),
                               "options.scratch.workspace");
  const auto facts = row_facts(device(), options);
  auto blueprint = engine::decide(rows, facts, options);
  engine::prove_generic(target, facts, blueprint, options);
  api::Execution::Kernels kernels;
  kernels.first = api::Built::make(target, std::move(blueprint), facts.type, options);
  return std::make_unique<const api::Execution>(target, std::move(kernels), api::ArrayNames());
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] RaggedPlan::State {
  problem::RowBatch rows;
  std::unique_ptr<const api::Execution> execution;
};

RaggedPlan::RaggedPlan(const cl::Context& context, const cl::Device& device,
                       RaggedTransform transform, const Options& options) {
  check_row_options(device, options);
  auto rows = problem::make_rows(std::move(transform));
  auto execution = make_row_execution(context, device, rows, options);
  state_ = api::make_owned<const State>(State{std::move(rows), std::move(execution)});
}
Estimate RaggedPlan::estimate(const cl::Device& device, const RaggedTransform& transform,
                              const Options& options) {
  check_row_options(device, options);
  const auto facts = row_facts(device(), options);
  return engine::decide(problem::make_rows(transform), facts, options).estimate();
}
RaggedPlan::~RaggedPlan() = default;
RaggedPlan::RaggedPlan(RaggedPlan&&) noexcept = default;
RaggedPlan& RaggedPlan::operator=(RaggedPlan&&) noexcept = default;

void RaggedPlan::forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                         const Call& call) const {
  api::check_whole_batch(call);
  api::held(state_).execution->enqueue(false,
                                       {queue(), signal, spectrum, Placement::out_of_place, call});
}
void RaggedPlan::inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
                         const Call& call) const {
  api::check_whole_batch(call);
  api::held(state_).execution->enqueue(true,
                                       {queue(), spectrum, signal, Placement::out_of_place, call});
}

const RaggedTransform& RaggedPlan::transform() const { return api::held(state_).rows.transform; }
std::size_t RaggedPlan::signal_bytes() const { return api::held(state_).execution->signal_bytes(); }
std::size_t RaggedPlan::spectrum_bytes() const {
  return api::held(state_).execution->spectrum_bytes();
}
RowLayout RaggedPlan::signal_layout() const {
  const State& state = api::held(state_);
  return filled_layout(state.rows.signal, state.rows.transform.batch);
}
RowLayout RaggedPlan::spectrum_layout() const {
  const State& state = api::held(state_);
  return filled_layout(state.rows.spectrum, state.rows.transform.batch);
}
std::size_t RaggedPlan::workspace_bytes() const {
  return api::held(state_).execution->workspace_bytes();
}
std::size_t RaggedPlan::table_bytes() const { return api::held(state_).execution->table_bytes(); }
std::string RaggedPlan::describe() const {
  const State& state = api::held(state_);
  const std::string text = state.execution->describe();
  // The first line names the long array that the execution sees.
  return state.rows.name() + text.substr(text.find('\n'));
}
std::vector<KernelSource> RaggedPlan::sources() const {
  return api::held(state_).execution->sources();
}
std::vector<KernelBuild> RaggedPlan::builds() const {
  return api::held(state_).execution->builds();
}

}  // namespace imago
