// This file draws a report. Back-to-back calls have a chart per precision and family, with GB/s
// over the points of a transform, a line per engine and one for the copy bandwidth. Single calls
// have bars of imago's speedup. Several reports show imago's fraction of copy bandwidth, with a
// line for each device.
#include <algorithm>
#include <map>
#include <optional>

#include "base/integers.hpp"
#include "bench/facts.hpp"
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
constexpr const char* kImago = "imago";
constexpr std::size_t kTitleLetters = 64;  // as many letters fit below a panel

/// Returns a build without its commit, which the JSON has: "imago 0.1.0, Release".
std::string version_of(std::string build) {
  const std::size_t version = build.find(' '), commit = build.find(' ', version + 1);
  const std::size_t end = std::min(build.find(','), build.size());
  if (version != std::string::npos && commit < end) build.erase(commit, end - commit);
  return build;
}

Sheet sheet_of(const Report& report, const std::string& subtitle) {
  Sheet sheet{machine_of(report.facts), subtitle, {}};
  sheet.footer = version_of(fact_in(report.facts, "build"));
  if (const std::string date = fact_in(report.facts, "date"); !date.empty())
    sheet.footer += ", " + date.substr(0, date.find('T'));
  return sheet;
}

/// Returns the name of the copy: it limits transforms in the memory of a GPU, but those in the
/// caches of a CPU can be faster.
const char* copy_of(const Report& report) {
  return is_processor(report.facts) ? "copy" : "copy, limit";
}

/// Returns the title of the axis: it names the shapes that are dots, if there is room.
std::string points_title(const std::vector<std::string>& dots) {
  std::string text = "Points:";
  for (const auto& shape : dots) text += (&shape == &dots.front() ? " " : ", ") + shape;
  return dots.empty() || text.size() > kTitleLetters ? kPoints : text;
}

/// Adds a panel with fitting axes, if it has data.
void add(Sheet& sheet, Panel panel, const std::string& y, Scale scale) {
  if (panel.series.empty()) return;  // every engine rejected the cases
  for (auto& series : panel.series)
    std::sort(series.points.begin(), series.points.end(),
              [](const Point& a, const Point& b) { return a.x < b.x; });
  fit_x(panel, panel.x.title, Scale::powers_of_two);
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

/// Adds points to a panel whose lines have one rank, and names its dots if all of them are.
class Filler {
 public:
  explicit Filler(Panel& panel) : panel_(panel) { panel_.x.title = kPoints; }
  void add(const std::string& name, const Row& row, Point point) {
    if (rank_ == 0) rank_ = row.problem.lengths.size();
    point.x = static_cast<double>(elements(row.problem));
    const Mark mark = mark_of(row.problem, rank_);
    series_of(panel_, name, mark).points.push_back(point);
    lines_ |= mark == Mark::line;
    const std::string text = shape(row.problem);
    if (std::find(dots_.begin(), dots_.end(), text) == dots_.end()) dots_.push_back(text);
    panel_.x.title = lines_ ? kPoints : points_title(dots_);
  }

 private:
  Panel& panel_;
  std::size_t rank_ = 0;
  bool lines_ = false;
  std::vector<std::string> dots_;
};

/// Returns a rate with the interquartile range of its samples.
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
    if (row.wall_gbps > 0) filler.add(copy_of(report), row, {0, row.wall_gbps});
  }
  return panel;
}

/// Returns the name of a bar: the shape, and kind and precision if they are not complex and f32.
std::string bar_name(const Case& problem) {
  std::string text = shape(problem);
  if (problem.kind != Kind::complex)
    text += " " + std::string(base::word_of(problem::kKinds, problem.kind));
  return problem.precision == Precision::f32 ? text : text + " " + word(problem.precision);
}

/// Returns the speedup of imago over the best other library.
std::optional<Point> speedup(const Row& row, bool latency) {
  const auto& ratios = latency ? row.latency_ratios : row.ratios;
  const auto best =
      std::min_element(ratios.begin(), ratios.end(),
                       [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
  if (best == ratios.end()) return {};
  return Point{0, best->value, best->low, best->high};
}

/// Returns the speed of imago's calls relative to a copy.
std::optional<Point> speed_of_copy(const Row& row, bool latency) {
  for (const Result& result : row.results) {
    const double seconds = latency ? result.latency : result.seconds;
    if (result.engine != kImago || !result.skipped.empty() || !(seconds > 0)) continue;
    const double bytes = 1e-9 * static_cast<double>(moved_bytes(row.problem));
    const double copy = latency ? row.wall_latency : bytes / row.wall_gbps;
    if (row.wall_gbps > 0 && copy > 0) return Point{0, copy / seconds};
  }
  return {};
}

Panel call_bars(const Report& report, bool compared, bool latency) {
  Panel panel{latency ? "One call and the wait for its result" : "Back-to-back calls", {}, {}};
  panel.reference = 1;
  for (const Row& row : report.rows) {
    std::optional<Point> point = compared ? speedup(row, latency) : speed_of_copy(row, latency);
    if (!point) continue;
    point->x = static_cast<double>(panel.x.names.size());
    series_of(panel, kImago, Mark::bars).points.push_back(*point);
    panel.x.names.push_back(bar_name(row.problem));
  }
  panel.x.low = -0.5;
  panel.x.high = static_cast<double>(panel.x.names.size()) - 0.5;
  fit_y(panel, compared ? "Speedup" : "Speed relative to a copy", Scale::powers_of_two);
  return panel;
}

std::string calls_svg(const Report& report) {
  const bool compared = std::any_of(report.rows.begin(), report.rows.end(),
                                    [](const Row& row) { return !row.ratios.empty(); });
  Sheet sheet = sheet_of(
      report, compared
                  ? "Speedup of imago over the best other library for each shape; 1 = equal speed"
                  : "Speed of imago relative to a copy of as many bytes; 1 = equal speed");
  sheet.columns = 1;
  sheet.panel_width = 1000;
  for (const bool latency : {false, true}) {
    Panel panel = call_bars(report, compared, latency);
    if (!panel.series.empty()) sheet.panels.push_back(std::move(panel));
  }
  return draw(sheet);
}

/// Returns the name of a device; the second of two reports of one device gets a number.
std::string device_of(const Report& report, std::map<std::string, int>& known) {
  const std::string name = machine_of(report.facts);
  const int count = ++known[name];
  return count == 1 ? name : name + " (" + std::to_string(count) + ")";
}

}  // namespace

std::string to_svg(const Report& report) {
  if (report.timing == Timing::single_calls) return calls_svg(report);
  Sheet sheet = sheet_of(
      report,
      "One read and one write of the data per second; error bars: the middle half of the samples");
  for (const auto& [word, precision] : problem::kPrecisions)
    for (const auto& each : families_of(report, precision))
      add(sheet, rates(report, precision, each), "GB/s", Scale::linear);
  return draw(sheet);
}

std::string to_svg(const std::vector<Report>& reports) {
  Sheet sheet{"imago on several devices",
              "Fraction of copy bandwidth; error bars: the middle half of the samples",
              {}};
  std::map<std::string, Panel> panels;
  std::map<std::string, Filler> fillers;
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
      fillers.try_emplace(title, panel)
          .first->second.add(device, row, rate_point(result.wall_share, result.spread));
    }
  }
  for (const auto& title : order)
    add(sheet, std::move(panels.at(title)), "Fraction of copy bandwidth", Scale::linear);
  return draw(sheet);
}

}  // namespace imago::bench
