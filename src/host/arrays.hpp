// This file determines the parts of host arrays that a transform reads and writes, and checks the
// arrays of a call.
#pragma once

#include <cstddef>
#include <string>

#include <imago/host_array.hpp>
#include <imago/pool.hpp>
#include <imago/transform.hpp>

#include "problem/problem.hpp"

namespace imago::host {

/// Throws InvalidArgument if the array is null or not aligned to its numbers.
void check_pointer(const char* name, const void* data, std::size_t number_bytes);
/// Throws InvalidArgument if the arrays overlap. `names` is "signal and spectrum", for example.
void check_apart(const std::string& names, const HostBytes& a, const HostBytes& b);

/// The arrays of a call.
struct Arrays {
  ConstHostArray from;
  HostArray to;
  Placement placement = Placement::out_of_place;
};

/// A transform of whole arrays.
struct Whole {
  /// Throws as HostPlan's constructor, as far as no device is needed to find the error.
  explicit Whole(const Transform& of);

  /// Throws if the arrays do not suit a call.
  void check(bool inverse, const Arrays& arrays) const;

  Transform transform;
  problem::Problem problem;
};

}  // namespace imago::host
