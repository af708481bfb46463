// This file implements sheets of charts.
#include "charts/sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "charts/colours.hpp"
#include "charts/svg.hpp"

namespace imago::charts {
namespace {

constexpr double kLeft = 76, kRight = 22, kBottom = 52, kHead = 60, kFoot = 26, kLegendRow = 20;
constexpr double kNames = 104;   // pixels below a frame for names instead of numbers
constexpr double kBar = 0.7;     // width of a bar; 1: bars touch
constexpr double kDot = 4;       // pixels, so that a dot on the edge is drawn completely
constexpr double kLetter = 6.6;  // pixels of an average letter
constexpr double kFar = 4;       // heights of a frame; lines that leave it end at this distance

const std::string& key_of(const Series& series) {
  return series.colour.empty() ? series.name : series.colour;
}

bool inside(const Axis& axis, double value) {
  constexpr double kSlack = 1e-6;
  const double part = axis.part(value);
  return part >= -kSlack && part <= 1 + kSlack;
}

/// Returns the number of letters of UTF-8 text.
double width_of(std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return kLetter * static_cast<double>(letters);
}

/// Draws one panel.
class Drawer {
 public:
  Drawer(const Panel& panel, const Frame& frame, Colours& colours)
      : panel_(panel), frame_(frame), colours_(colours) {}

  std::string draw(std::size_t number) {
    std::string svg = draw_x_axis(frame_, panel_.x, true) + draw_y_axis(frame_, panel_.y, true);
    if (!panel_.title.empty())
      svg += fmt::format("<g font-weight=\"bold\">{}</g>\n",
                         draw_text(frame_.left, frame_.top - 10, panel_.title));
    if (panel_.reference)
      svg += stroke(horizontal(*panel_.reference), "#555", "stroke-width=\"1\"");
    svg += fmt::format(
        "<clipPath id=\"frame{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" "
        "height=\"{4:.2f}\"/></clipPath>\n<g clip-path=\"url(#frame{0})\">\n",
        number, frame_.left - kDot, frame_.top - kDot, frame_.width + 2 * kDot,
        frame_.height + 2 * kDot);
    for (const Series& series : panel_.series) svg += draw(series);
    return svg + "</g>\n" + labels() + note();
  }

 private:
  /// Limits values far outside, because viewers do not draw such numbers.
  double y(double value) const {
    const double far = kFar * frame_.height, bottom = frame_.top + frame_.height;
    const double place = frame_.y(panel_.y, value);
    return std::isnan(place) ? bottom + far : std::clamp(place, frame_.top - far, bottom + far);
  }
  double x(double value) const { return frame_.x(panel_.x, value); }
  std::string horizontal(double value) const {
    return fmt::format("M{:.2f} {:.2f}h{:.2f}", frame_.left, y(value), frame_.width);
  }
  static std::string stroke(const std::string& path, std::string_view colour,
                            std::string_view style) {
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" {}/>\n", path, colour, style);
  }

  /// Returns the parts of a line that have an end inside the axis.
  std::string path(const std::vector<Point>& points) const {
    std::string path;
    bool drawing = false;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Point &from = points[i - 1], &to = points[i];
      const bool drawn = std::isfinite(from.y) && std::isfinite(to.y) &&
                         (inside(panel_.y, from.y) || inside(panel_.y, to.y));
      if (drawn && !drawing) path += fmt::format("M{:.2f} {:.2f}", x(from.x), y(from.y));
      if (drawn) path += fmt::format("L{:.2f} {:.2f}", x(to.x), y(to.y));
      drawing = drawn;
    }
    return path;
  }
  /// Returns the parts of a line, each closed along the axis.
  std::string area(const std::vector<Point>& points) const {
    const std::string line = path(points);
    const double bottom = frame_.top + frame_.height;
    std::string closed;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t next = std::min(line.find('M', at + 1), line.size());
      const std::string part = line.substr(at, next - at);
      closed += fmt::format("{}V{:.2f}H{}Z", part, bottom, part.substr(1, part.find(' ') - 1));
      at = next;
    }
    return closed;
  }
  std::string bars(const std::vector<Point>& points) const {
    std::string path;
    for (const Point& point : points)
      if (std::isfinite(point.low) && std::isfinite(point.high))
        path += fmt::format("M{0:.2f} {1:.2f}V{2:.2f}M{3:.2f} {1:.2f}h6M{3:.2f} {2:.2f}h6",
                            x(point.x), y(point.low), y(point.high), x(point.x) - 3);
    return path;
  }
  std::string dots(const std::vector<Point>& points, std::string_view colour, double radius) const {
    std::string svg;
    for (const Point& point : points)
      if (std::isfinite(point.y) && inside(panel_.y, point.y))
        svg += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n",
                           x(point.x), y(point.y), radius, colour);
    return svg;
  }
  std::string columns(const std::vector<Point>& points, std::string_view colour) const {
    const double base = y(panel_.reference.value_or(panel_.y.low));
    const double width = kBar * frame_.width / (panel_.x.high - panel_.x.low);
    std::string svg;
    for (const Point& point : points) {
      if (!std::isfinite(point.y)) continue;
      const double end = y(point.y);
      svg += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
          x(point.x) - width / 2, std::min(base, end), width, std::abs(end - base), colour);
    }
    return svg;
  }
  std::string stems(const std::vector<Point>& points) const {
    std::string path;
    for (const Point& point : points)
      if (std::isfinite(point.y) && inside(panel_.y, point.y))
        path += fmt::format("M{:.2f} {:.2f}V{:.2f}", x(point.x), frame_.top + frame_.height,
                            y(point.y));
    return path;
  }

  std::string draw(const Series& series) {
    const std::string_view colour = colours_.of(key_of(series));
    const std::string_view dash = series.dashed ? " stroke-dasharray=\"6 4\"" : "";
    const auto line = [&](const std::string& path, double width) {
      return stroke(path, colour,
                    fmt::format("stroke-width=\"{}\" stroke-linejoin=\"round\"{}", width, dash));
    };
    if (series.points.empty()) return {};
    if (series.mark == Mark::level)
      return stroke(horizontal(series.points.front().y), colour,
                    "stroke-width=\"1.4\" stroke-dasharray=\"6 4\"");
    for (const Point& point : series.points) count(point);
    if (series.mark == Mark::bars)
      return columns(series.points, colour) +
             stroke(bars(series.points), "#333", "stroke-width=\"1\"");
    std::string svg = stroke(bars(series.points), colour, "stroke-width=\"1\"");
    if (series.mark == Mark::shaded)
      svg += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.13\"/>\n",
                         area(series.points), colour);
    if (series.mark == Mark::curve || series.mark == Mark::shaded)
      return svg + line(path(series.points), 1.1);
    if (series.mark == Mark::line) svg += line(path(series.points), 1.6);
    if (series.mark == Mark::stems) svg += line(stems(series.points), 1.2);
    return svg + dots(series.points, colour, series.mark == Mark::dots ? 3.6 : 2.6);
  }

  std::string labels() const {
    constexpr double kHeight = 13, kAbove = 5;
    std::vector<Frame> drawn;
    std::string svg;
    for (const Label& label : panel_.labels) {
      if (!inside(panel_.x, label.x) || !std::isfinite(label.y)) continue;
      const double width = width_of(label.text), right = frame_.left + frame_.width - width,
                   bottom = frame_.top + frame_.height;
      const Frame box{std::clamp(x(label.x) - width / 2, frame_.left, std::max(frame_.left, right)),
                      std::clamp(y(label.y) - kAbove, frame_.top + kHeight, bottom) - kHeight,
                      width, kHeight};
      const bool covers = std::any_of(drawn.begin(), drawn.end(), [&](const Frame& other) {
        return std::abs(box.left + box.width / 2 - other.left - other.width / 2) <
                   (box.width + other.width) / 2 &&
               std::abs(box.top - other.top) < kHeight;
      });
      if (covers) continue;
      drawn.push_back(box);
      svg += draw_text(box.left + width / 2, box.top + kHeight - 2, label.text, Anchor::middle);
    }
    return svg.empty() ? svg : "<g font-size=\"11\">" + svg + "</g>\n";
  }

  void count(const Point& point) {
    values_ += !std::isnan(point.y);
    below_ += !std::isnan(point.y) && panel_.y.part(point.y) < -1e-6;
  }
  /// Returns a note about omitted values.
  std::string note() const {
    if (below_ == 0) return {};
    const std::string text =
        below_ == values_ ? "every value lies below the axis"
                          : fmt::format("{} of {} values lie below the axis", below_, values_);
    return fmt::format("<g font-size=\"10\" fill=\"#888\">{}</g>\n",
                       draw_text(frame_.left + frame_.width - 6, frame_.top + frame_.height - 7,
                                 text, Anchor::end));
  }

  const Panel& panel_;
  const Frame frame_;
  Colours& colours_;
  std::size_t values_ = 0, below_ = 0;
};

/// Returns each name once, in order of appearance.
std::vector<const Series*> legend_of(const Sheet& sheet) {
  std::vector<const Series*> entries;
  for (const Panel& panel : sheet.panels)
    for (const Series& series : panel.series) {
      const bool known = std::any_of(entries.begin(), entries.end(), [&](const Series* entry) {
        return entry->name == series.name;
      });
      if (!known && !series.name.empty()) entries.push_back(&series);
    }
  return entries;
}

/// Draws the legend's rows, and returns their height in `height`.
std::string draw_legend(const Sheet& sheet, double width, Colours& colours, double& height) {
  const auto entries = legend_of(sheet);
  std::string svg;
  double x = 24;
  height = entries.size() > 1 ? kLegendRow : 0;
  if (height == 0) return svg;
  for (const Series* entry : entries) {
    const std::string label = label_of(entry->name);
    const double needed = width_of(label) + 52;
    if (x + needed > width && x > 24) x = 24, height += kLegendRow;
    const double y = kHead - 2 + height - kLegendRow;
    svg +=
        fmt::format("<path d=\"M{:.2f} {:.2f}h24\" stroke=\"{}\" stroke-width=\"3\"{}/>", x, y + 6,
                    colours.of(key_of(*entry)),
                    entry->dashed || entry->mark == Mark::level ? " stroke-dasharray=\"6 4\"" : "");
    svg += draw_text(x + 30, y + 10, label);
    x += needed;
  }
  return svg;
}

/// Returns the range of all finite values and intervals, for a logarithmic axis above 0.
std::pair<double, double> extent(const Panel& panel, bool across, Scale scale) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  const auto add = [&](double value) {
    if (!std::isfinite(value) || (scale != Scale::linear && value <= 0)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const Series& series : panel.series)
    for (const Point& point : series.points) {
      add(across ? point.x : point.y);
      if (!across) add(point.low), add(point.high);
    }
  if (!across && panel.reference) add(*panel.reference);
  return {least, most};
}

Axis fitted(const Panel& panel, bool across, const std::string& title, Scale scale) {
  const auto [least, most] = extent(panel, across, scale);
  if (scale == Scale::linear) return axis_from_zero(most, title);
  if (least > most) return axis_of_powers(1, 1, title, scale);  // there are no values
  return axis_of_powers(least, most, title, scale);
}

}  // namespace

std::string draw(const Sheet& sheet) {
  const std::size_t columns =
      std::max<std::size_t>(1, std::min(sheet.columns, sheet.panels.size()));
  const std::size_t rows = (sheet.panels.size() + columns - 1) / columns;
  const double width = sheet.panel_width * static_cast<double>(columns);
  Colours colours;
  double legend = 0;
  const std::string names = draw_legend(sheet, width, colours, legend);
  const double top = kHead + legend,
               height = top + sheet.panel_height * static_cast<double>(rows) + kFoot;
  std::string svg = open_svg(width, height, sheet.title, sheet.subtitle) + names;
  for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
    const Panel& panel = sheet.panels[i];
    const double head = panel.title.empty() ? 10 : 34,
                 bottom = panel.x.names.empty() ? kBottom : kNames;
    const Frame frame{kLeft + sheet.panel_width * static_cast<double>(i % columns),
                      top + head + sheet.panel_height * static_cast<double>(i / columns),
                      sheet.panel_width - kLeft - kRight, sheet.panel_height - head - bottom};
    svg += Drawer(panel, frame, colours).draw(i);
  }
  return svg + draw_footer(width, height, sheet.footer) + "</svg>\n";
}

Series& series_of(Panel& panel, const std::string& name, Mark mark) {
  for (Series& series : panel.series)
    if (series.name == name && series.mark == mark) return series;
  return panel.series.emplace_back(Series{name, mark});
}

void fit_x(Panel& panel, const std::string& title, Scale scale) {
  panel.x = fitted(panel, true, title, scale);
}
void fit_y(Panel& panel, const std::string& title, Scale scale) {
  panel.y = fitted(panel, false, title, scale);
}

}  // namespace imago::charts
