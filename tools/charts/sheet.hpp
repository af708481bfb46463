// This file draws charts: panels on a sheet, with one legend. Charts show only measured values:
// lines join the given points, values outside an axis are omitted and counted, and scattered values
// have error bars.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "charts/axis.hpp"

namespace imago::charts {

struct Point {
  double x = 0, y = 0;
  /// Drawn as an error bar; NaN: unknown.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

enum class Mark {
  line,    ///< joined points, each with a dot; a value that is not finite breaks the line
  curve,   ///< joined points without dots, for many values
  shaded,  ///< a curve with a tinted area below it
  dots,    ///< separate points
  stems,   ///< lines from the end of the axis to each point
  bars,    ///< bars from the panel's reference, or from the end of the axis, to each point
  level    ///< a bound: a horizontal line at the first point's y
};

struct Series {
  std::string name;  ///< in the legend; series of the same name look alike
  Mark mark = Mark::line;
  std::vector<Point> points = {};
  std::string colour = {};  ///< name whose colour in Colours it has; empty: its own name
  bool dashed = false;
};

/// A text above a point. A label that would cover an earlier one is left out.
struct Label {
  double x = 0, y = 0;
  std::string text;
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  std::vector<Label> labels = {};
  std::optional<double> reference = {};  ///< y of a reference line, for example at equal speed
};

struct Sheet {
  std::string title, subtitle, footer;
  std::vector<Panel> panels = {};
  std::size_t columns = 2;
  double panel_width = 500, panel_height = 330;
};
/// Draws the panels in rows, with `columns` columns at most.
std::string draw(const Sheet& sheet);

/// Returns the series with this name and mark; adds it if there is none.
Series& series_of(Panel& panel, const std::string& name, Mark mark = Mark::line);

/// Sets the panel's axis to a range that contains all its values and intervals.
void fit_x(Panel& panel, const std::string& title, Scale scale);
void fit_y(Panel& panel, const std::string& title, Scale scale);

}  // namespace imago::charts
