// This file lists the problems whose kernels the digests record, for devices that this machine need
// not have.
#pragma once

#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "problem/computation.hpp"

namespace imago::digests {

/// A transform or a filter, the device that it is planned for and the options.
struct Problem {
  const device::Facts* facts;
  std::string group;  ///< words without the device's; digests are compared by group
  std::string name;   ///< unique
  problem::Computation computation;
  Options options;
};

/// Returns the catalogue's CI tier for a device, and random problems of every kind, layout, mapping
/// and placement. Groups: kind, precision, requested algorithm.
std::vector<Problem> dense_problems(const device::Facts& facts);

/// Returns transforms with hooks of every sort at their ends, filters, deterministic plans, and the
/// transforms that convolutions consist of. Groups: sort of the hooks, precision.
std::vector<Problem> hooked_problems(const device::Facts& facts);

}  // namespace imago::digests
