// This file implements NufftPlan by the classes for modes and for frequencies.
#include <imago/nufft.hpp>

#include <utility>
#include <variant>

#include "api/arguments.hpp"
#include "api/nufft_frequencies.hpp"
#include "api/nufft_modes.hpp"
#include "api/owned.hpp"
#include "base/errors.hpp"
#include "base/words.hpp"
#include "engine/composition.hpp"
#include "problem/words.hpp"

namespace imago {

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] NufftPlan::State {
  State(const cl::Context& context, const cl::Device& device, NufftTransform transform,
        const Options& options) {
    engine::refuse_reproducible(options, "nonuniform transforms");
    if (transform.types == NufftTypes::type3)
      frequencies =
          std::make_unique<api::NufftFrequencies>(context, device, std::move(transform), options);
    else
      modes = std::make_unique<api::NufftModes>(context, device, std::move(transform), options);
  }

  api::NufftModes& of_modes() const {
    if (!modes) base::invalid("types", "type3", "call type3(), or make a plan of types 1 and 2");
    return *modes;
  }
  api::NufftFrequencies& of_frequencies() const {
    if (!frequencies) base::invalid("types", "not type3", "make a plan with NufftTypes::type3");
    return *frequencies;
  }
  /// Returns the types 1 and 2, or that of a type 3, which is null before its points are set.
  const api::NufftModes* grid() const { return modes ? modes.get() : frequencies->modes(); }
  const NufftTransform& transform() const {
    return modes ? modes->transform() : frequencies->transform();
  }
  std::size_t complex_bytes() const {
    return modes ? modes->complex_bytes() : frequencies->complex_bytes();
  }

  std::unique_ptr<api::NufftModes> modes;              ///< types 1 and 2
  std::unique_ptr<api::NufftFrequencies> frequencies;  ///< type 3
};

NufftPlan::NufftPlan(const cl::Context& context, const cl::Device& device, NufftTransform transform,
                     const Options& options)
    : state_(api::make_owned<State>(context, device, std::move(transform), options)) {}
NufftEstimate NufftPlan::estimate(const cl::Device& device, const NufftTransform& transform,
                                  const Options& options) {
  const auto facts = api::nufft_facts(device, transform, options);
  if (transform.types == NufftTypes::type3)
    base::invalid("types", "type3",
                  "its grid depends on the points: make the plan, set them, and read describe()");
  const auto design = api::nufft_design(transform, facts, options);
  Options of_grid = options;
  of_grid.parameters = {};
  const auto points =
      api::evenly_spread(transform, design, api::members_at_once(transform, design, facts));
  return api::nufft_estimate({transform, design, facts, of_grid}, points);
}
NufftPlan::~NufftPlan() = default;
NufftPlan::NufftPlan(NufftPlan&&) noexcept = default;
NufftPlan& NufftPlan::operator=(NufftPlan&&) noexcept = default;

void NufftPlan::set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                           const Call& call) {
  api::held(state_).of_modes().set_points(queue, {&points, 1}, call);
}
void NufftPlan::set_points(const cl::CommandQueue& queue, std::span<const NufftPoints> parts,
                           const Call& call) {
  api::held(state_).of_modes().set_points(queue, parts, call);
}
void NufftPlan::set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                           const NufftPoints& frequencies, const Call& call) {
  api::held(state_).of_frequencies().set_points(queue, points, frequencies, call);
}
void NufftPlan::type1(const cl::CommandQueue& queue, const Array& strengths, const Array& modes,
                      const Call& call) const {
  api::held(state_).of_modes().enqueue(queue, true, {&strengths, 1}, modes, call);
}
void NufftPlan::type1(const cl::CommandQueue& queue, std::span<const Array> strengths,
                      const Array& modes, const Call& call) const {
  api::held(state_).of_modes().enqueue(queue, true, strengths, modes, call);
}
void NufftPlan::type2(const cl::CommandQueue& queue, const Array& modes, const Array& values,
                      const Call& call) const {
  api::held(state_).of_modes().enqueue(queue, false, {&values, 1}, modes, call);
}
void NufftPlan::type2(const cl::CommandQueue& queue, const Array& modes,
                      std::span<const Array> values, const Call& call) const {
  api::held(state_).of_modes().enqueue(queue, false, values, modes, call);
}
void NufftPlan::type3(const cl::CommandQueue& queue, const Array& strengths, const Array& values,
                      const Call& call) const {
  api::held(state_).of_frequencies().enqueue(queue, strengths, values, call);
}

const NufftTransform& NufftPlan::transform() const { return api::held(state_).transform(); }
std::vector<std::size_t> NufftPlan::grid() const {
  const api::NufftModes* const grid = api::held(state_).grid();
  return grid ? grid->design().lengths : std::vector<std::size_t>();
}
std::size_t NufftPlan::width() const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->design().window.width() : state.frequencies->width();
}
double NufftPlan::predicted_error(std::optional<NufftPromise> promise) const {
  const State& state = api::held(state_);
  const NufftPromise own = state.transform().promise, chosen = promise.value_or(own);
  base::check_word(problem::kNufftPromises, "promise", chosen);
  if (state.modes) return state.modes->design().error(chosen);
  return state.frequencies->predicted_error(chosen);
}
std::size_t NufftPlan::points() const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->points() : state.frequencies->points();
}
std::size_t NufftPlan::points_bytes() const {
  const State& state = api::held(state_);
  const NufftTransform& transform = state.transform();
  return (transform.points_per_member ? 1 : transform.batch) * points() *
         nufft::number_bytes(transform);
}
std::size_t NufftPlan::modes_bytes() const {
  const State& state = api::held(state_);
  const std::size_t count = state.modes ? state.modes->modes() : state.frequencies->frequencies();
  return state.transform().batch * count * state.complex_bytes();
}
std::size_t NufftPlan::workspace_bytes() const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->workspace_bytes() : state.frequencies->workspace_bytes();
}
std::size_t NufftPlan::table_bytes() const {
  const api::NufftModes* const grid = api::held(state_).grid();
  return grid ? grid->table_bytes() : 0;
}
bool NufftPlan::ready() const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->ready() : state.frequencies->ready();
}
bool NufftPlan::wait(std::chrono::milliseconds most) const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->wait(most) : state.frequencies->wait(most);
}
std::string NufftPlan::describe() const {
  const State& state = api::held(state_);
  return state.modes ? state.modes->describe() : state.frequencies->describe();
}
std::vector<KernelSource> NufftPlan::sources() const {
  const State& state = api::held(state_);
  constexpr auto kOfGrid = &api::Parts::sources;
  return state.modes ? state.modes->list(kOfGrid) : state.frequencies->list(kOfGrid);
}
std::vector<KernelBuild> NufftPlan::builds() const {
  const State& state = api::held(state_);
  constexpr auto kOfGrid = &api::Parts::builds;
  return state.modes ? state.modes->list(kOfGrid) : state.frequencies->list(kOfGrid);
}

double least_tolerance(const NufftTransform& transform) {
  NufftTransform checked = transform;
  checked.tolerance = 0.5;
  nufft::check(checked);
  return nufft::least_tolerance(checked);
}

}  // namespace imago
