// This file runs a transform of host data on a device, and checks the result on the host.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "progress.hpp"
#include "session.hpp"

namespace imago::command {

template <class Real>
struct Computed {
  std::vector<std::complex<Real>> result;
  std::string plan;          ///< Plan::describe()
  double plan_seconds = 0;   ///< to make the plan
  double first_seconds = 0;  ///< of the first call, which may compile
  double seconds = 0;        ///< of a second call
};

/// Throws Failure where the device's memory cannot hold the (packed) data.
void require_memory(const Session& session, const Transform& transform);

/// The transform's one direction, of `data` packed member after member.
template <class Real>
Computed<Real> compute(const Session& session, const Transform& transform, const Options& options,
                       const std::vector<std::complex<Real>>& data, Progress& progress);

struct Check {
  double error = 0;  ///< relative L2, over all outputs that were checked
  double bound = 0;
  std::size_t transforms = 0;                     ///< that were checked
  bool passed() const { return error <= bound; }  ///< a NaN does not
};
/// Compares with FFTW in a higher precision: all members, or so many, spread over the batch, as take
/// seconds.
template <class Real>
Check check(const Transform& transform, const std::vector<std::complex<Real>>& data,
            const std::vector<std::complex<Real>>& result, Progress& progress);

/// What the transform's direction multiplies with, as its norm asks.
double scale_of(const Transform& transform);

}  // namespace imago::command
