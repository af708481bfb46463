// This file compares two reports of dense transforms. It finds changes that exceed the scatter of
// the samples. Pure functions of the reports, so that old reports can also be compared.
#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/statistics.hpp"

namespace imago::bench {

/// Reads a report of to_json(), as far as comparisons and pictures need it: facts, times, spreads,
/// rates and ratios. Throws InvalidArgument with `name` and the place if the text is no such
/// report.
Report from_json(const std::string& text, const std::string& name);

enum class Change {
  none,    ///< the intervals overlap
  faster,  ///< the second report's interval lies below the first's
  slower
};

/// One engine's time of one case in both reports.
struct Compared {
  Case problem;
  std::string engine;
  bool latency = false;    ///< true: synchronous calls; false: back-to-back calls
  Interval before, after;  ///< seconds of a call: the median and the interquartile range of the
                           ///< samples
  /// Speedup of the second report, and its minimum and maximum according to both intervals.
  Interval ratio;
  Change change = Change::none;
};

/// Mean over the rows that both reports have.
struct ComparedMean {
  std::string engine;
  /// Empty: mean of the engine's own times. Else: mean of imago's speedups over this engine. In the
  /// ratio, disturbances of both engines on one machine cancel.
  std::string beside;
  bool latency = false;
  double value = 0;  ///< geometric mean of the second report over the first
  double worst = 0;
  std::string worst_case;  ///< name() of the case
  std::size_t rows = 0, slower = 0, faster = 0;
};

struct Difference {
  std::string fact, before, after;  ///< empty if a report lacks it
};

struct Comparison {
  std::vector<Difference> differences;  ///< differences between the facts
  std::vector<Compared> rows;
  std::vector<ComparedMean> means;
  std::vector<std::string> only_before, only_after;  ///< cases, as name()
};

Comparison compare(const Report& before, const Report& after);

/// Returns a line per engine and case, marked if the change exceeds the scatter. `before` and
/// `after` are the names of the reports.
std::string to_text(const Comparison& comparison, const std::string& before,
                    const std::string& after);
std::string to_json(const Comparison& comparison, const std::string& before,
                    const std::string& after);

}  // namespace imago::bench
