// This file implements SmallPlan.
#include <imago/small_plan.hpp>

#include <string>
#include <utility>

#include "base/errors.hpp"
#include "host/arrays.hpp"
#include "host/small_calls.hpp"
#include "small/functions.hpp"

namespace imago {

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] SmallPlan::State {
  host::Whole whole;
  host::SmallDirections directions;

  void execute(bool inverse, const host::Arrays& arrays) const {
    if (!directions.suits(inverse, arrays)) whole.check(inverse, arrays);
    directions.direction(inverse)->run(arrays.from.data(), arrays.to.data());
  }
};

namespace {

template <class State>
const State& held_plan(const std::unique_ptr<const State>& state) {
  if (!state) base::invalid("the plan", "moved from", "use the plan that it was moved to");
  return *state;
}

}  // namespace

SmallPlan::SmallPlan(std::unique_ptr<const State> state) : state_(std::move(state)) {}
SmallPlan::~SmallPlan() = default;
SmallPlan::SmallPlan(SmallPlan&&) noexcept = default;
SmallPlan& SmallPlan::operator=(SmallPlan&&) noexcept = default;

std::optional<SmallPlan> SmallPlan::make(const Transform& transform) {
  return make(transform, false);
}
std::optional<SmallPlan> SmallPlan::make_preferred(const Transform& transform) {
  return make(transform, true);
}

std::optional<SmallPlan> SmallPlan::make(const Transform& transform, bool preferred) {
  if (!transform.on_forward.load.empty() || !transform.on_forward.store.empty() ||
      !transform.on_inverse.load.empty() || !transform.on_inverse.store.empty() ||
      transform.signal.storage == Storage::planar || transform.spectrum.storage == Storage::planar)
    return {};
  host::Whole whole(transform);
  auto directions = preferred ? host::preferred_small_directions(whole.problem)
                              : host::small_directions(whole.problem);
  if (!directions) return {};
  return SmallPlan(
      std::unique_ptr<const State>(new State{std::move(whole), std::move(*directions)}));
}

void SmallPlan::forward(const ConstHostArray& signal, const HostArray& spectrum) const {
  held_plan(state_).execute(false, {signal, spectrum, Placement::out_of_place});
}
void SmallPlan::forward(const HostArray& data) const {
  held_plan(state_).execute(false, {data, data, Placement::in_place});
}
void SmallPlan::inverse(const ConstHostArray& spectrum, const HostArray& signal) const {
  held_plan(state_).execute(true, {spectrum, signal, Placement::out_of_place});
}
void SmallPlan::inverse(const HostArray& data) const {
  held_plan(state_).execute(true, {data, data, Placement::in_place});
}

double SmallPlan::seconds() const { return held_plan(state_).directions.seconds(); }
std::size_t SmallPlan::signal_bytes() const { return held_plan(state_).whole.problem.bytes(false); }
std::size_t SmallPlan::spectrum_bytes() const {
  return held_plan(state_).whole.problem.bytes(true);
}
std::string SmallPlan::instruction_set() { return std::string(small::instruction_set()); }

}  // namespace imago
