// This file measures what each kernel of a call takes, by the device's clock.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <imago/plan.hpp>

#include "session.hpp"

namespace imago::command {

/// All launches of one kernel in a call.
struct KernelTime {
  std::string name;
  std::size_t launches = 0;
  double seconds = 0;  ///< of them all, the median of the calls
  double bytes = 0;    ///< that they move through global memory, by the plan
};

/// What a call takes, medians of several calls.
struct CallTime {
  std::vector<KernelTime> kernels;  ///< in the order of their first launches
  std::size_t calls = 0;            ///< that were measured
  double span = 0;                  ///< from the first kernel's begin to the last one's end
  double host = 0;                  ///< from the call until the host knows that it has ended
  double bytes = 0;                 ///< through global memory
  std::size_t launches() const;
};

/// Runs the transform's one direction on zeros: what kernels take does not depend on numbers.
CallTime measure_kernels(const Session& session, const Transform& transform,
                         const Options& options);

/// A line for the call, then one for each kernel.
std::string table(const CallTime& time);
nlohmann::json to_json(const CallTime& time);

}  // namespace imago::command
