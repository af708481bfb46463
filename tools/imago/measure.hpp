// This file measures the device time of each kernel of a call.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "session.hpp"

namespace imago::command {

struct Report;

/// All launches of one kernel in a call.
struct KernelTime {
  std::string name;
  std::size_t launches = 0;
  double seconds = 0;  ///< time of all launches, the median of the calls
  double bytes = 0;    ///< bytes moved through global memory, according to the plan
};

/// The times of a call, medians of several calls.
struct CallTime {
  std::vector<KernelTime> kernels;  ///< in the order of their first launches
  std::size_t calls = 0;            ///< number of measured calls
  double span = 0;   ///< time between the start of the first kernel and the end of the last
                     ///< one
  double host = 0;   ///< time until the host sees the end of the call
  double bytes = 0;  ///< through global memory
};

/// Runs the transform's only direction on zeros, because the time of kernels does not depend on the
/// data.
CallTime measure_kernels(const Session& session, const Transform& transform,
                         const Options& options);

/// Returns the call, then each kernel.
Report report_of(const CallTime& time);

}  // namespace imago::command
