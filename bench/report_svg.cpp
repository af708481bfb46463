// This file draws a report as a plain SVG: a chart per precision and family, one under the other,
// each GB/s over the points of a transform on a logarithmic axis, a line per engine and one for the
// wall.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bench/rows.hpp"

namespace imago::bench {
namespace {

constexpr double kWidth = 860, kHeight = 460, kLeft = 70, kRight = 130, kTop = 40, kBottom = 50;
constexpr std::array kColours = {"#c0392b", "#2471a3", "#229954", "#8e44ad", "#d68910", "#7f8c8d"};

using Points = std::vector<std::pair<double, double>>;  // log2 of the points, GB/s

struct Line {
  std::string name;
  Points points;
};
struct Chart {
  std::string title;
  std::vector<Line> lines;
};

void add_point(Chart& chart, const std::string& name, const Case& problem, double gbps) {
  auto found = std::find_if(chart.lines.begin(), chart.lines.end(),
                            [&](const Line& line) { return line.name == name; });
  if (found == chart.lines.end()) found = chart.lines.insert(chart.lines.end(), {name, {}});
  found->points.emplace_back(std::log2(static_cast<double>(points(problem))), gbps);
}

Chart chart_of(const Report& report, Precision precision, const std::string& its) {
  Chart chart{its + ", " + word(precision), {}};
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision || family(row.problem) != its) continue;
    for (const Result& result : row.results)
      if (result.skipped.empty()) add_point(chart, result.engine, row.problem, result.gbps);
    if (row.wall_gbps > 0) add_point(chart, "wall", row.problem, row.wall_gbps);
  }
  for (Line& line : chart.lines) std::sort(line.points.begin(), line.points.end());
  return chart;
}

std::vector<Chart> charts_of(const Report& report) {
  std::vector<Chart> charts;
  for (const Precision precision : kPrecisions)
    for (const auto& each : families_of(report, precision))
      charts.push_back(chart_of(report, precision, each));
  return charts;
}

struct Scale {
  double first = 1e9, last = -1e9, top = 0;
  double x(double log_length) const {
    return kLeft + (kWidth - kLeft - kRight) * (log_length - first) / (last - first);
  }
  double y(double gbps) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * gbps / top;
  }
};

Scale scale_of(const Chart& chart) {
  Scale scale;
  for (const Line& line : chart.lines)
    for (const auto& [x, y] : line.points) {
      scale.first = std::min(scale.first, x);
      scale.last = std::max(scale.last, x);
      scale.top = std::max(scale.top, 1.05 * y);
    }
  scale.first = std::floor(scale.first);
  scale.last = std::max(std::ceil(scale.last), scale.first + 1);
  return scale;
}

std::string axes(const Scale& scale, const std::string& title) {
  std::string svg = fmt::format("<text x='{}' y='24' font-size='15'>{}</text>\n", kLeft, title);
  for (double x = scale.first; x <= scale.last; x += 2)
    svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>2^{:.0f}</text>\n", scale.x(x),
                       kHeight - kBottom + 18, x);
  constexpr int kTicks = 5;
  for (int i = 0; i <= kTicks; ++i) {
    const double gbps = scale.top * i / kTicks, y = scale.y(gbps);
    svg += fmt::format("<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' stroke='#ddd'/>\n", kLeft,
                       kWidth - kRight, y, y);
    svg += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{:.3g}</text>\n", kLeft - 6,
                       y + 4, gbps);
  }
  return svg + fmt::format(
                   "<text x='{}' y='{}'>points of a transform; vertically GB/s, one read and "
                   "one write</text>\n",
                   kLeft, kHeight - 10);
}

std::string curve(const Scale& scale, const std::string& name, const Points& points,
                  const char* colour) {
  std::string path, dots;
  for (const auto& [x, y] : points) {
    path += fmt::format("{:.1f},{:.1f} ", scale.x(x), scale.y(y));
    dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.5' fill='{}'/>\n", scale.x(x),
                        scale.y(y), colour);
  }
  return fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.8'/>\n{}", path,
                     colour, dots) +
         fmt::format("<!-- {} -->\n", name);
}

std::string legend(std::size_t place, const std::string& name, const char* colour) {
  const double x = kWidth - kRight + 16, y = kTop + 14 + 20 * static_cast<double>(place);
  return fmt::format("<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' stroke='{3}' stroke-width='3'/>", x,
                     x + 20, y, colour) +
         fmt::format("<text x='{}' y='{}'>{}</text>\n", x + 26, y + 4, name);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

std::string draw(const Chart& chart, const std::string& device, std::vector<std::string>& names) {
  if (chart.lines.empty()) return {};  // every engine refused
  const Scale scale = scale_of(chart);
  std::string svg = axes(scale, device + ", " + chart.title);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const Line& line = chart.lines[i];
    auto known = std::find(names.begin(), names.end(), line.name);
    if (known == names.end()) known = names.insert(names.end(), line.name);
    const auto place = static_cast<std::size_t>(known - names.begin());
    const char* colour = kColours[place % kColours.size()];
    svg += curve(scale, line.name, line.points, colour) + legend(i, line.name, colour);
  }
  return svg;
}

}  // namespace

std::string to_svg(const Report& report) {
  const auto charts = charts_of(report);
  const auto height = kHeight * static_cast<double>(std::max<std::size_t>(1, charts.size()));
  const std::string device = report.facts.empty() ? "" : report.facts.front().second;
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' "
      "font-size='12'>\n"
      "<rect width='100%' height='100%' fill='white'/>\n",
      kWidth, height);
  std::vector<std::string> names;  // a line has the same colour in every chart
  double top = 0;
  for (const Chart& chart : charts) {
    svg += fmt::format("<g transform='translate(0,{})'>\n", top) +
           draw(chart, escaped(device), names) + "</g>\n";
    top += kHeight;
  }
  return svg + "</svg>\n";
}

}  // namespace imago::bench
