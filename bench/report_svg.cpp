// This file draws a report, a line per engine and one for the wall: of trains a chart per precision
// and family, each GB/s over the points of a transform; of single calls microseconds.
#include <algorithm>

#include "base/integers.hpp"
#include "bench/chart.hpp"
#include "bench/rows.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

std::string device_of(const Report& report) {
  return report.facts.empty() ? "" : report.facts.front().second;
}

Chart chart_of(const Report& report, Precision precision, const std::string& its) {
  Chart chart;
  chart.title = device_of(report) + ", " + its + ", " + word(precision);
  chart.axes = "points of a transform; vertically GB/s, one read and one write";
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision || family(row.problem) != its) continue;
    const auto x = static_cast<double>(elements(row.problem));
    for (const Result& result : row.results)
      if (result.skipped.empty()) add_point(chart, result.engine, x, result.gbps);
    if (row.wall_gbps > 0) add_point(chart, "wall", x, row.wall_gbps);
  }
  return chart;
}

// A suite of single calls has few rows of a family: a chart is all of a rank, and of another kind
// or precision than the usual all of it.
std::string group(const Case& problem) {
  if (problem.kind != Kind::complex || problem.precision != Precision::f32)
    return std::string(base::word_of(problem::kKinds, problem.kind));
  return std::to_string(problem.lengths.size()) + "-D";
}

// Lines join these; between them other lengths would be peaks of another kind.
bool powers_of_two(const Case& problem) {
  return std::all_of(problem.lengths.begin(), problem.lengths.end(),
                     [](std::uint64_t length) { return base::is_power_of_two(length); });
}

std::vector<std::string> groups_of(const Report& report, Precision precision) {
  std::vector<std::string> groups;
  for (const Row& row : report.rows) {
    const bool known = std::find(groups.begin(), groups.end(), group(row.problem)) != groups.end();
    if (row.problem.precision == precision && !known) groups.push_back(group(row.problem));
  }
  return groups;
}

Chart call_chart(const Report& report, Precision precision, const std::string& its, bool latency) {
  constexpr double kMicro = 1e6;
  Chart chart;
  chart.title = its + ", " + word(precision) + (latency ? ", call and wait: " : ", in a train: ") +
                device_of(report);
  chart.axes = "points of a transform, lines join powers of two; vertically microseconds per call";
  chart.logarithmic = true;
  const auto add = [&](const Row& row, const std::string& name, double seconds) {
    if (seconds > 0)
      add_point(chart, name, static_cast<double>(elements(row.problem)), kMicro * seconds,
                powers_of_two(row.problem));
  };
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision || group(row.problem) != its) continue;
    for (const Result& result : row.results)
      if (result.skipped.empty())
        add(row, result.engine, latency ? result.latency : result.seconds);
    const double bytes = 1e-9 * static_cast<double>(moved_bytes(row.problem));
    if (row.wall_gbps > 0) add(row, "wall", latency ? row.wall_latency : bytes / row.wall_gbps);
  }
  return chart;
}

std::string calls_svg(const Report& report) {
  std::vector<Chart> charts;
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : groups_of(report, precision))
      for (const bool latency : {false, true})
        charts.push_back(call_chart(report, precision, each, latency));
  return draw(charts, 2);
}

}  // namespace

std::string to_svg(const Report& report) {
  if (report.timing == Timing::single_calls) return calls_svg(report);
  std::vector<Chart> charts;
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : families_of(report, precision))
      charts.push_back(chart_of(report, precision, each));
  return draw(charts);
}

}  // namespace imago::bench
