// This file draws a report: a chart per precision and family, each GB/s over the points of a
// transform, a line per engine and one for the wall.
#include "bench/chart.hpp"
#include "bench/rows.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

Chart chart_of(const Report& report, Precision precision, const std::string& its) {
  Chart chart;
  chart.title = (report.facts.empty() ? "" : report.facts.front().second) + ", " + its + ", " +
                word(precision);
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

}  // namespace

std::string to_svg(const Report& report) {
  std::vector<Chart> charts;
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : families_of(report, precision))
      charts.push_back(chart_of(report, precision, each));
  return draw(charts);
}

}  // namespace imago::bench
