// This file replays the cost model against measurements of the tuner, without a device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/facts.hpp"

namespace imago::model_report {

/// The measured candidates of a problem, and how the model ranks them.
struct Replay {
  std::string problem;         ///< key of its class
  std::size_t candidates = 0;  ///< candidates with a measured time
  double best = 0;             ///< seconds of the fastest one
  /// Measured time of the model's first choice among the candidates, divided by `best`.
  double own_over_best = 0;
  /// Measured time of the planner's choice without a profile, divided by `best`; 0 if it was not
  /// measured.
  double planned_over_best = 0;
  double correlation = 0;  ///< Spearman's rank correlation of predicted and measured times
};

/// Replays the report that `imago tune --json` writes. The predictions are those of this program
/// for the device, not the report's. Problems with fewer than two candidates are left out. Throws
/// ProfileError with `origin` if the text is no such report.
std::vector<Replay> replay(std::string_view report, const std::string& origin,
                           const device::Facts& facts);

/// The replays of a report in a few numbers.
struct Summary {
  std::size_t problems = 0;
  double median = 0, worst = 0;  ///< own_over_best
  std::size_t planned = 0;       ///< problems whose planned candidate was measured
  double planned_mean = 1;       ///< geometric mean of their planned_over_best
  double correlation = 0;        ///< median
};
Summary summary_of(const std::vector<Replay>& replays);

}  // namespace imago::model_report
