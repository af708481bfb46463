// This file draws charts as plain SVG.
#include "bench/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace imago::bench {
namespace {

constexpr double kWidth = 860, kHeight = 460, kLeft = 70, kRight = 150, kTop = 40, kBottom = 50;
constexpr std::array kColours = {"#c0392b", "#2471a3", "#229954", "#8e44ad",
                                 "#d68910", "#7f8c8d", "#17a589", "#2c3e50"};

struct Scale {
  double first = 1e9, last = -1e9, bottom = 0, top = 0;
  bool logarithmic = false;
  double x(double log_length) const {
    return kLeft + (kWidth - kLeft - kRight) * (log_length - first) / (last - first);
  }
  double y(double value) const {
    const double share = logarithmic ? (std::log10(value) - bottom) / (top - bottom) : value / top;
    return kHeight - kBottom - (kHeight - kTop - kBottom) * share;
  }
};

Scale scale_of(const Chart& chart) {
  Scale scale;
  scale.logarithmic = chart.logarithmic;
  double least = 1e300, most = -1e300;
  for (const auto& line : chart.lines)
    for (const auto* points : {&line.points, &line.apart})
      for (const auto& [x, y] : *points) {
        scale.first = std::min(scale.first, x);
        scale.last = std::max(scale.last, x);
        least = std::min(least, y);
        most = std::max(most, y);
      }
  scale.first = std::floor(scale.first);
  scale.last = std::max(std::ceil(scale.last), scale.first + 1);
  scale.top = 1.05 * most;
  if (chart.logarithmic) {
    scale.bottom = std::floor(std::log10(least));
    scale.top = std::max(std::ceil(std::log10(most)), scale.bottom + 1);
  }
  return scale;
}

std::string level(const Scale& scale, double value, const char* colour) {
  const double y = scale.y(value);
  return fmt::format("<line x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}' stroke='{}'/>\n", kLeft,
                     kWidth - kRight, y, y, colour);
}

std::string axes(const Scale& scale, const Chart& chart) {
  std::string svg =
      fmt::format("<text x='{}' y='24' font-size='1.25em'>{}</text>\n", kLeft, chart.title);
  constexpr double kMany = 8;
  const double step = scale.last - scale.first > kMany ? 2 : 1;
  for (double x = scale.first; x <= scale.last; x += step)
    svg += fmt::format("<text x='{:.1f}' y='{}' text-anchor='middle'>2^{:.0f}</text>\n", scale.x(x),
                       kHeight - kBottom + 18, x);
  constexpr int kTicks = 5;
  const int decades = static_cast<int>(std::lround(scale.top - scale.bottom));
  for (int i = 0; i <= (scale.logarithmic ? decades : kTicks); ++i) {
    const double value =
        scale.logarithmic ? std::pow(10, scale.bottom + i) : scale.top * i / kTicks;
    svg += level(scale, value, "#ddd");
    const auto number =
        scale.logarithmic ? fmt::format("{:g}", value) : fmt::format("{:.3g}", value);
    svg += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kLeft - 6,
                       scale.y(value) + 4, number);
  }
  if (chart.unity) svg += level(scale, 1, "#555");
  return svg + fmt::format("<text x='{}' y='{}'>{}</text>\n", kLeft, kHeight - 10, chart.axes);
}

std::string curve(const Scale& scale, const ChartLine& line, const char* colour) {
  std::string path, dots;
  for (const auto& [x, y] : line.points)
    path += fmt::format("{:.1f},{:.1f} ", scale.x(x), scale.y(y));
  for (const auto* points : {&line.points, &line.apart})
    for (const auto& [x, y] : *points)
      dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}' fill='{}'/>\n", scale.x(x),
                          scale.y(y), points == &line.apart ? 4 : 2.5, colour);
  return fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.8'/>\n{}", path,
                     colour, dots) +
         fmt::format("<!-- {} -->\n", line.name);
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

std::string draw(Chart chart, std::vector<std::string>& names) {
  chart.title = escaped(chart.title);
  const Scale scale = scale_of(chart);
  std::string svg = axes(scale, chart);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    auto& line = chart.lines[i];
    std::sort(line.points.begin(), line.points.end());
    auto known = std::find(names.begin(), names.end(), line.name);
    if (known == names.end()) known = names.insert(names.end(), line.name);
    const auto place = static_cast<std::size_t>(known - names.begin());
    const char* colour = kColours[place % kColours.size()];
    svg += curve(scale, line, colour) + legend(i, line.name, colour);
  }
  return svg;
}

}  // namespace

void add_point(Chart& chart, const std::string& name, double x, double y, bool joined) {
  auto found = std::find_if(chart.lines.begin(), chart.lines.end(),
                            [&](const ChartLine& line) { return line.name == name; });
  if (found == chart.lines.end()) found = chart.lines.insert(chart.lines.end(), {name, {}});
  (joined ? found->points : found->apart).emplace_back(std::log2(x), y);
}

std::string draw(const std::vector<Chart>& charts, std::size_t columns) {
  std::vector<std::string> names;  // a line has the same colour in every chart
  std::string drawn;
  std::size_t place = 0;
  for (const Chart& chart : charts) {
    if (chart.lines.empty()) continue;  // every engine refused
    drawn += fmt::format("<g transform='translate({},{})'>\n",
                         kWidth * static_cast<double>(place % columns),
                         kHeight * static_cast<double>(place / columns)) +
             draw(chart, names) + "</g>\n";
    ++place;
  }
  // A page shows several columns smaller; letters that are half as large again stay readable.
  const std::size_t rows = std::max<std::size_t>(1, (place + columns - 1) / columns);
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' font-family='sans-serif' "
             "font-size='{}'>\n"
             "<rect width='100%' height='100%' fill='white'/>\n",
             kWidth * static_cast<double>(columns), kHeight * static_cast<double>(rows),
             columns == 1 ? 12 : 18) +
         drawn + "</svg>\n";
}

}  // namespace imago::bench
