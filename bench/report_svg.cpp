// This file draws a report, with a line per engine and one for the copy bandwidth. Back-to-back
// calls have a chart per precision and family, with GB/s over the points of a transform. Single
// calls are shown in microseconds. Several reports show imago's fraction of copy bandwidth, with a
// line for each device.
#include <algorithm>
#include <map>

#include "base/integers.hpp"
#include "bench/rows.hpp"
#include "charts/sheet.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

using charts::Mark;
using charts::Panel;
using charts::Point;
using charts::Scale;
using charts::Sheet;

constexpr const char* kPoints = "Points of a transform";
constexpr const char* kWall = "wall";

std::string fact(const Report& report, const std::string& name) {
  for (const auto& [its, value] : report.facts)
    if (its == name) return value;
  return {};
}

Sheet sheet_of(const Report& report, const std::string& subtitle) {
  Sheet sheet{fact(report, "device"), subtitle, {}};
  if (const std::string build = fact(report, "build"); !build.empty())
    sheet.footer = build + ", " + fact(report, "date");
  return sheet;
}

/// Adds a panel with fitting axes, if it has data.
void add(Sheet& sheet, Panel panel, const std::string& y, Scale scale) {
  if (panel.series.empty()) return;  // every engine rejected the cases
  for (auto& series : panel.series)
    std::sort(series.points.begin(), series.points.end(),
              [](const Point& a, const Point& b) { return a.x < b.x; });
  fit_x(panel, kPoints, Scale::powers_of_two);
  fit_y(panel, y, scale);
  sheet.panels.push_back(std::move(panel));
}

// Lines join powers of two whose rank equals that of the panel's first row; other lengths and
// shapes between them would be misleading peaks.
Mark mark_of(const Case& problem, std::size_t rank) {
  const bool powers = std::all_of(problem.lengths.begin(), problem.lengths.end(),
                                  [](std::uint64_t n) { return base::is_power_of_two(n); });
  return powers && problem.lengths.size() == rank ? Mark::line : Mark::dots;
}

/// Adds points to a panel whose lines have one rank.
class Filler {
 public:
  explicit Filler(Panel& panel) : panel_(panel) {}
  void add(const std::string& name, const Row& row, Point point) {
    if (rank_ == 0) rank_ = row.problem.lengths.size();
    point.x = static_cast<double>(elements(row.problem));
    series_of(panel_, name, mark_of(row.problem, rank_)).points.push_back(point);
  }

 private:
  Panel& panel_;
  std::size_t rank_ = 0;
};

/// Returns a time, scaled, with the interquartile range of its samples.
Point time_point(double seconds, double spread, double scale) {
  return {0, scale * seconds, scale * seconds * std::max(0.0, 1 - spread / 2),
          scale * seconds * (1 + spread / 2)};
}
Point rate_point(double rate, double spread) {
  return {0, rate, rate / (1 + spread / 2), spread < 2 ? rate / (1 - spread / 2) : rate};
}

Panel rates(const Report& report, Precision precision, const std::string& its) {
  Panel panel{its + ", " + word(precision), {}, {}};
  Filler filler(panel);
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision || family(row.problem) != its) continue;
    for (const Result& result : row.results)
      if (result.skipped.empty())
        filler.add(result.engine, row, rate_point(result.gbps, result.spread));
    if (row.wall_gbps > 0) filler.add(kWall, row, {0, row.wall_gbps});
  }
  return panel;
}

// Returns the chart of a case. A suite of single calls has few rows of a family, so a chart shows
// all cases of a rank; other kinds and precisions have one chart each.
std::string group(const Case& problem) {
  if (problem.kind != Kind::complex || problem.precision != Precision::f32)
    return std::string(base::word_of(problem::kKinds, problem.kind));
  return std::to_string(problem.lengths.size()) + "-D";
}

std::vector<std::string> groups_of(const Report& report, Precision precision) {
  std::vector<std::string> groups;
  for (const Row& row : report.rows) {
    const bool known = std::find(groups.begin(), groups.end(), group(row.problem)) != groups.end();
    if (row.problem.precision == precision && !known) groups.push_back(group(row.problem));
  }
  return groups;
}

Panel calls(const Report& report, Precision precision, const std::string& its, bool latency) {
  constexpr double kMicro = 1e6;
  Panel panel{
      its + ", " + word(precision) + (latency ? ", call and wait" : ", in a train"), {}, {}};
  Filler filler(panel);
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision || group(row.problem) != its) continue;
    for (const Result& result : row.results) {
      const double seconds = latency ? result.latency : result.seconds;
      if (result.skipped.empty() && seconds > 0)
        filler.add(result.engine, row,
                   time_point(seconds, latency ? result.latency_spread : result.spread, kMicro));
    }
    const double bytes = 1e-9 * static_cast<double>(moved_bytes(row.problem));
    const double wall = latency ? row.wall_latency : bytes / row.wall_gbps;
    if (row.wall_gbps > 0 && wall > 0) filler.add(kWall, row, {0, kMicro * wall});
  }
  return panel;
}

std::string calls_svg(const Report& report) {
  Sheet sheet = sheet_of(
      report, "time of a call; bars: the middle half of the samples; lines join powers of two");
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : groups_of(report, precision))
      for (const bool latency : {false, true})
        add(sheet, calls(report, precision, each, latency), "Microseconds", Scale::powers_of_ten);
  return draw(sheet);
}

/// Returns the name of a device; the second of two reports of one device gets a number.
std::string device_of(const Report& report, std::map<std::string, int>& known) {
  const std::string name = fact(report, "device");
  const int count = ++known[name];
  return count == 1 ? name : name + " (" + std::to_string(count) + ")";
}

}  // namespace

std::string to_svg(const Report& report) {
  if (report.timing == Timing::single_calls) return calls_svg(report);
  Sheet sheet = sheet_of(
      report,
      "one read and one write per second; bars: the middle half of the samples; wall: a copy");
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : families_of(report, precision))
      add(sheet, rates(report, precision, each), "GB/s", Scale::linear);
  return draw(sheet);
}

std::string to_svg(const std::vector<Report>& reports) {
  Sheet sheet{"imago on several devices",
              "share of the speed of a copy; bars: the middle half of the samples",
              {}};
  std::map<std::string, Panel> panels;
  std::vector<std::string> order;
  std::map<std::string, int> known;
  for (const Report& report : reports) {
    const std::string device = device_of(report, known);
    for (const Row& row : report.rows) {
      const Result& result = row.results.at(0);
      if (!result.skipped.empty() || !(result.wall_share > 0)) continue;
      const std::string title = family(row.problem) + ", " + word(row.problem.precision);
      if (!panels.contains(title)) order.push_back(title);
      Panel& panel = panels.try_emplace(title, Panel{title, {}, {}}).first->second;
      panel.reference = 1;
      Filler(panel).add(device, row, rate_point(result.wall_share, result.spread));
    }
  }
  for (const auto& title : order)
    add(sheet, std::move(panels.at(title)), "Share of a copy's speed", Scale::linear);
  return draw(sheet);
}

}  // namespace imago::bench
