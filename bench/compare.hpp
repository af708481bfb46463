// This file compares two reports of dense transforms: what became faster, what slower, and whether
// that is more than the scatter of their samples. Pure functions of what the reports say, so that
// tables of last year can be compared, too.
#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/statistics.hpp"

namespace imago::bench {

/// What to_json() wrote, as far as comparisons and pictures need it: facts, times, spreads, rates
/// and ratios. Throws
/// InvalidArgument with `name` and the place where the text is not such a report.
Report from_json(const std::string& text, const std::string& name);

enum class Change {
  none,    ///< the intervals overlap
  faster,  ///< the second report's lies below the first's
  slower
};

/// One engine's time of one case in both reports.
struct Compared {
  Case problem;
  std::string engine;
  bool latency = false;    ///< of calls with a wait; else of trains
  Interval before, after;  ///< seconds of a call: the median, the middle half of the samples
  /// How many times as fast the second report has it, and the least and the most that both
  /// intervals allow.
  Interval ratio;
  Change change = Change::none;
};

/// Over the rows that both reports have.
struct ComparedMean {
  std::string engine;
  /// Empty: of the engine's own times. Else imago's ratios to that peer: of two runs on one machine
  /// what disturbed both engines cancels.
  std::string beside;
  bool latency = false;
  double value = 0;  ///< geometric mean of the second report over the first
  double worst = 0;
  std::string worst_case;  ///< as name()
  std::size_t rows = 0, slower = 0, faster = 0;
};

struct Difference {
  std::string fact, before, after;  ///< empty where a report does not have it
};

struct Comparison {
  std::vector<Difference> differences;  ///< of the facts
  std::vector<Compared> rows;
  std::vector<ComparedMean> means;
  std::vector<std::string> only_before, only_after;  ///< cases, as name()
};

Comparison compare(const Report& before, const Report& after);

/// A line per engine and case, marked where the change is more than scatter; `before` and `after`
/// are what the reports are called.
std::string to_text(const Comparison& comparison, const std::string& before,
                    const std::string& after);
std::string to_json(const Comparison& comparison, const std::string& before,
                    const std::string& after);

}  // namespace imago::bench
