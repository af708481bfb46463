// This file says what a transform of host arrays reads and writes of them, and checks what a call
// brings.
#pragma once

#include <imago/host_array.hpp>
#include <imago/pool.hpp>
#include <imago/transform.hpp>

#include "problem/problem.hpp"

namespace imago::host {

/// What a call is given.
struct Arrays {
  ConstHostArray from;
  HostArray to;
  Placement placement = Placement::out_of_place;
};

/// A transform of whole arrays.
struct Whole {
  /// Throws as HostPlan's constructor where nobody need ask a device.
  explicit Whole(const Transform& of);

  /// Throws where a call may not be given these.
  void check(bool inverse, const Arrays& arrays) const;

  Transform transform;
  problem::Problem problem;
};

}  // namespace imago::host
