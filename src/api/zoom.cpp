// This file implements ZoomPlan: a filter for each direction, and the factors of both.
#include <imago/zoom.hpp>

#include <utility>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "problem/make_problem.hpp"
#include "runtime/facts.hpp"
#include "signal/zoom.hpp"

namespace imago {
namespace {

std::size_t factor_bytes(const ZoomTransform& zoom, std::size_t padded) {
  return signal::kZoomArguments.size() * padded * 2 * base::bytes_of(zoom.precision);
}

/// Checks a zoom, and chooses the length of the rows by predicted time.
signal::ZoomParts parts_of(const cl::Device& device, const ZoomTransform& zoom,
                           const Options& options) {
  api::check_start(device, options);
  signal::check_zoom(zoom);
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  signal::check_accuracy(zoom, engine::facts_for(facts, options).f64.pairs);
  ZoomTransform compared = zoom;
  // Other lengths change the last bits, so the choice is that of a single signal.
  if (options.deterministic) compared.batch = 1;
  const std::size_t least = signal::least_points(zoom);
  // Messages name the fields of the zoom as its forward filter does.
  problem::make_problem(signal::zoom_parts(zoom, least).forward);
  const std::size_t best =
      api::fastest_length(least, [&](std::size_t length) {
        const auto tried = signal::zoom_parts(compared, length);
        return engine::decide(tried.first(zoom), facts, options).forward->seconds;
      }).first;
  return signal::zoom_parts(zoom, best);
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] ZoomPlan::State {
  State(const cl::Context& context, const cl::Device& device, ZoomTransform z,
        const signal::ZoomParts& made, const Options& options)
      : zoom(std::move(z)), padded(made.padded) {
    if (zoom.directions != Directions::inverse)
      forward = api::make_execution(context, device, made.forward, options);
    if (zoom.directions != Directions::forward)
      adjoint = api::make_execution(context, device, made.adjoint, options,
                                    {.signal = "spectrum", .spectrum = "signal"});
    parts.add(forward.get());
    parts.add(adjoint.get());
    const auto factors = signal::zoom_factors(zoom, padded);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      arguments.emplace_back(signal::kZoomArguments[i],
                             api::upload_factors(context(), factors[i], zoom.precision));
    }
  }

  /// Returns the execution of a direction.
  const api::Execution& of(bool is_adjoint) const {
    const auto& execution = is_adjoint ? adjoint : forward;
    api::check_compiled(execution, is_adjoint, "adjoint()");
    return *execution;
  }

  ZoomTransform zoom;
  std::size_t padded;
  std::unique_ptr<const api::Execution> forward, adjoint;
  api::Parts parts;
  std::vector<Argument> arguments;  ///< the factors
};

ZoomPlan::ZoomPlan(const cl::Context& context, const cl::Device& device, ZoomTransform transform,
                   const Options& options) {
  const signal::ZoomParts made = parts_of(device, transform, options);
  state_ = api::make_owned<const State>(context, device, std::move(transform), made, options);
}
Estimate ZoomPlan::estimate(const cl::Device& device, const ZoomTransform& transform,
                            const Options& options) {
  const signal::ZoomParts made = parts_of(device, transform, options);
  const Estimate first = api::estimate(device, made.first(transform), options);
  Estimate sum;
  sum.signal_bytes = first.signal_bytes, sum.spectrum_bytes = first.spectrum_bytes;
  if (transform.directions == Directions::inverse) std::swap(sum.signal_bytes, sum.spectrum_bytes);
  api::add(sum, first);
  if (transform.directions == Directions::both)
    api::add(sum, api::estimate(device, made.adjoint, options), 0);
  sum.table_bytes += factor_bytes(transform, made.padded);
  return sum;
}
ZoomPlan::~ZoomPlan() = default;
ZoomPlan::ZoomPlan(ZoomPlan&&) noexcept = default;
ZoomPlan& ZoomPlan::operator=(ZoomPlan&&) noexcept = default;

void ZoomPlan::forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                       const Call& call) const {
  const State& state = api::held(state_);
  state.of(false).enqueue(
      false, {queue(), signal, spectrum, Placement::out_of_place, call, state.arguments});
}
void ZoomPlan::adjoint(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
                       const Call& call) const {
  const State& state = api::held(state_);
  state.of(true).enqueue(
      false, {queue(), spectrum, signal, Placement::out_of_place, call, state.arguments});
}

const ZoomTransform& ZoomPlan::transform() const { return api::held(state_).zoom; }
std::size_t ZoomPlan::padded() const { return api::held(state_).padded; }
std::size_t ZoomPlan::signal_bytes() const {
  const State& state = api::held(state_);
  return state.forward ? state.forward->signal_bytes() : state.adjoint->spectrum_bytes();
}
std::size_t ZoomPlan::spectrum_bytes() const {
  const State& state = api::held(state_);
  return state.forward ? state.forward->spectrum_bytes() : state.adjoint->signal_bytes();
}
Layout ZoomPlan::signal_layout() const {
  const State& state = api::held(state_);
  return state.forward ? state.forward->signal_layout() : state.adjoint->spectrum_layout();
}
Layout ZoomPlan::spectrum_layout() const {
  const State& state = api::held(state_);
  return state.forward ? state.forward->spectrum_layout() : state.adjoint->signal_layout();
}
std::size_t ZoomPlan::workspace_bytes() const { return api::held(state_).parts.workspace_bytes(); }
std::size_t ZoomPlan::table_bytes() const {
  const State& state = api::held(state_);
  return factor_bytes(state.zoom, state.padded) + state.parts.table_bytes();
}
bool ZoomPlan::ready() const { return api::held(state_).parts.ready(); }
bool ZoomPlan::wait(std::chrono::milliseconds most) const {
  return api::held(state_).parts.wait(most);
}
std::string ZoomPlan::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> ZoomPlan::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> ZoomPlan::builds() const { return api::held(state_).parts.builds(); }

}  // namespace imago
