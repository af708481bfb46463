// This file draws a report as a plain SVG: GB/s over the length on a logarithmic axis, a line per
// engine and one for the wall.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bench/rows.hpp"

namespace imago::bench {
namespace {

constexpr double kWidth = 860, kHeight = 460, kLeft = 70, kRight = 130, kTop = 40, kBottom = 50;
constexpr std::array kColours = {"#c0392b", "#2471a3", "#229954", "#8e44ad", "#d68910", "#7f8c8d"};

using Points = std::vector<std::pair<double, double>>;  // log2 of the length, GB/s

std::vector<std::pair<std::string, Points>> lines_of(const Report& report, Precision precision) {
  std::vector<std::pair<std::string, Points>> lines;
  const auto add = [&](const std::string& name, std::size_t length, double gbps) {
    auto found = std::find_if(lines.begin(), lines.end(),
                              [&](const auto& line) { return line.first == name; });
    if (found == lines.end()) found = lines.insert(lines.end(), {name, {}});
    found->second.emplace_back(std::log2(static_cast<double>(length)), gbps);
  };
  for (const Row& row : report.rows) {
    if (row.problem.precision != precision) continue;
    for (const Result& result : row.results)
      if (result.skipped.empty()) add(result.engine, row.problem.length, result.gbps);
    if (row.wall_gbps > 0) add("wall", row.problem.length, row.wall_gbps);
  }
  for (auto& [name, points] : lines) std::sort(points.begin(), points.end());
  return lines;
}

struct Scale {
  double first = 1e9, last = -1e9, top = 0;
  double x(double log_length) const {
    return kLeft + (kWidth - kLeft - kRight) * (log_length - first) / std::max(1.0, last - first);
  }
  double y(double gbps) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * gbps / top;
  }
};

Scale scale_of(const std::vector<std::pair<std::string, Points>>& lines) {
  Scale scale;
  for (const auto& [name, points] : lines)
    for (const auto& [x, y] : points) {
      scale.first = std::min(scale.first, x);
      scale.last = std::max(scale.last, x);
      scale.top = std::max(scale.top, 1.05 * y);
    }
  return scale;
}

std::string axes(const Scale& scale, const std::string& title) {
  std::string svg = fmt::format("<text x='{}' y='24' font-size='15'>{}</text>\n", kLeft, title);
  for (double x = std::ceil(scale.first); x <= scale.last; x += 2)
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
  return svg +
         fmt::format("<text x='{}' y='{}'>length; vertically GB/s, one read and one write</text>\n",
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

}  // namespace

std::string to_svg(const Report& report) {
  const bool single = std::any_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
    return row.problem.precision == Precision::f32;
  });
  const auto lines = lines_of(report, single ? Precision::f32 : Precision::f64);
  const Scale scale = scale_of(lines);
  const std::string device = report.facts.empty() ? "" : report.facts.front().second;
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' "
      "font-size='12'>\n"
      "<rect width='100%' height='100%' fill='white'/>\n",
      kWidth, kHeight);
  if (!lines.empty()) {
    svg += axes(scale, escaped(device) + (single ? ", complex f32" : ", complex f64"));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const char* colour = kColours[i % kColours.size()];
      svg +=
          curve(scale, lines[i].first, lines[i].second, colour) + legend(i, lines[i].first, colour);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace imago::bench
