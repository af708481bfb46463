// This file makes, finds and deletes the state of plans.
#pragma once

#include <utility>

#include <imago/owned.hpp>

#include "base/errors.hpp"
#include "base/forked.hpp"

namespace imago::api {

/// Makes a state. Throws DeviceError in a process that was forked after the use of a device, where
/// not even a copy of a handle of OpenCL is safe.
template <class State, class... Arguments>
Owned<State> make_owned(Arguments&&... arguments) {
  base::check_driver();
  return Owned<State>(new State(std::forward<Arguments>(arguments)...));
}

/// Returns the state of a plan. Throws InvalidArgument if the plan was moved from, and DeviceError
/// in a process that was forked after the use of a device: the plan's locks may be held for ever.
template <class State>
State& held(const Owned<State>& state) {
  base::check_driver();
  if (!state) base::invalid("the plan", "moved from", "use the plan that it was moved to");
  return *state;
}

template <class State>
void Delete<State>::operator()(State* state) const noexcept {
  if (!base::driver_is_lost()) delete state;
}

}  // namespace imago::api
