// This file implements SparsePlan: it checks the arguments of a call and runs the solver.
#include <imago/sparse.hpp>

#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "api/arguments.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/errors.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "runtime/facts.hpp"
#include "sparse_device/solver.hpp"

namespace imago {

namespace {

/// Returns the request of a transform that the device can compute.
sparse::Request checked_request(cl_device_id device, const SparseTransform& transform,
                                const Options& options) {
  const auto request = sparse::make_request(transform);
  api::check_no_recipe(options);
  const auto facts = runtime::facts(device, engine::disk_cache(options));
  if (request.precision == Precision::f64 && !facts.f64.native)
    base::unsupported("the device \"" + facts.name + "\" has no double precision",
                      "use Precision::f32 or another device");
  constexpr unsigned kItems = 256;  // the largest kernels' groups have so many
  if (facts.max_work_group < kItems)
    base::unsupported("the device \"" + facts.name + "\" has no work-groups of " +
                          std::to_string(kItems) + " work-items, which sparse transforms need",
                      "use another device");
  return request;
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] SparsePlan::State {
  State(const runtime::Target& target, SparseTransform wish, const Options& options);

  /// Returns a random seed that cannot be predicted.
  std::uint64_t draw() { return std::uint64_t{random()} << 32 | random(); }
  std::uint64_t seed_of(const SparseCall& call);

  SparseTransform transform;
  runtime::Handle<cl_context> context;  ///< declared before the objects in it: released last
  api::Home home;
  sparse::Request request;
  problem::Side side;  ///< layout of the signal
  std::optional<sparse_device::Solver> solver;
  std::mutex mutex;  ///< lets one call run at a time
  std::random_device random;
};

SparsePlan::State::State(const runtime::Target& target, SparseTransform wish,
                         const Options& options)
    : transform(wish),
      context(runtime::Handle<cl_context>::shared(target.context)),
      home{target.context, target.device},
      request(checked_request(target.device, wish, options)) {
  const auto facts = runtime::facts(target.device, engine::disk_cache(options));
  side.element_bytes = request.signal_bytes() / request.length;
  side.end = request.length;
  solver.emplace(sparse_device::Setup{target, facts, request, options});
}

std::uint64_t SparsePlan::State::seed_of(const SparseCall& call) {
  if (call.seed) return *call.seed;
  return transform.seed ? *transform.seed : draw();
}

/// Waits on the host for the call's events, because the call blocks anyway. A failed event then
/// fails only this call, and an in-order queue can continue.
static void wait_for(cl_command_queue queue, std::span<const cl_event> waits) {
  if (waits.empty()) return;
  runtime::check(clFlush(queue), "clFlush");  // the events may belong to this queue
  runtime::check(clWaitForEvents(static_cast<cl_uint>(waits.size()), waits.data()),
                 "clWaitForEvents");
}

SparsePlan::SparsePlan(const cl::Context& context, const cl::Device& device,
                       SparseTransform transform, const Options& options)
    : state_(api::make_owned<State>(engine::make_target(context(), device()), transform, options)) {
}
Estimate SparsePlan::estimate(const cl::Device& device, const SparseTransform& transform,
                              const Options& options) {
  api::check_start(device, options);
  engine::refuse_reproducible(options, "sparse transforms");
  const auto request = checked_request(device(), transform, options);
  return sparse_device::estimate(request, runtime::facts(device(), engine::disk_cache(options)),
                                 options);
}
SparsePlan::~SparsePlan() = default;
SparsePlan::SparsePlan(SparsePlan&&) noexcept = default;
SparsePlan& SparsePlan::operator=(SparsePlan&&) noexcept = default;

SparseSpectrum SparsePlan::forward(const cl::CommandQueue& queue, const Array& signal,
                                   const SparseCall& call) const {
  api::held(state_);
  api::check_queue(queue());
  const runtime::KnownQueue known(queue());
  api::check_queue(state_->home, known);
  api::check_side(state_->home, {"signal", signal, signal.offset(), state_->side, true, false});
  const auto waits = api::check_waits(state_->home, call.waits);
  wait_for(queue(), waits);
  const std::lock_guard lock(state_->mutex);
  runtime::Sequence sequence(queue());
  auto spectrum = state_->solver->solve(
      {&sequence, {signal.re(), signal.offset()}, state_->seed_of(call), state_->draw()});
  if (call.event) api::hand_over(sequence.mark(), call.event);
  return spectrum;
}

const SparseTransform& SparsePlan::transform() const { return api::held(state_).transform; }
std::size_t SparsePlan::signal_bytes() const { return api::held(state_).request.signal_bytes(); }
std::size_t SparsePlan::workspace_bytes() const { return api::held(state_).solver->bytes(); }
std::size_t SparsePlan::table_bytes() const {
  return api::held(state_).solver->kernels().table_bytes;
}
std::vector<KernelSource> SparsePlan::sources() const {
  return api::held(state_).solver->kernels().sources;
}
std::vector<KernelBuild> SparsePlan::builds() const {
  return api::held(state_).solver->kernels().builds;
}
std::string SparsePlan::describe() const { return api::held(state_).solver->describe(); }

}  // namespace imago
