// This file defines the pointer by which plans own their state.
#pragma once

#include <memory>

namespace imago::api {

/// Deletes a plan's state. In a process that was forked after its parent had used a device, it does
/// nothing, because a driver may wait for ever when it releases objects there.
template <class State>
struct Delete {
  void operator()(State* state) const noexcept;
};

template <class State>
using Owned = std::unique_ptr<State, Delete<State>>;

}  // namespace imago::api
