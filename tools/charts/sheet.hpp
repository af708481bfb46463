// This file draws charts: panels on a sheet, with one legend for all of them. What is drawn was
// measured: lines join only the points that they are given, values outside of an axis are left out
// and counted, and where a value scatters its interval is drawn.
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
  /// Drawn as a bar; not a number: not known.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

enum class Mark {
  line,    ///< points joined, each with a dot; a value that is not finite breaks the line
  curve,   ///< the same without dots, for many values
  shaded,  ///< a curve, and what lies below it tinted
  dots,    ///< each for itself
  stems,   ///< from the end of the axis to each
  level    ///< a bound, at the first point's y from side to side
};

struct Series {
  std::string name;  ///< in the legend; of one name all look alike
  Mark mark = Mark::line;
  std::vector<Point> points = {};
  std::string colour = {};  ///< whose colour it has, as Colours knows it; empty: its name's
  bool dashed = false;
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  std::optional<double> reference = {};  ///< a line over the panel, as where two are as fast
};

struct Sheet {
  std::string title, subtitle, footer;
  std::vector<Panel> panels = {};
  std::size_t columns = 2;
  double panel_width = 500, panel_height = 330;
};
/// Panels side by side, line by line, in as many columns as they fill.
std::string draw(const Sheet& sheet);

/// The series of that name and mark, which is added where there is none.
Series& series_of(Panel& panel, const std::string& name, Mark mark = Mark::line);

/// Gives a panel the axis that holds all of its values and intervals.
void fit_x(Panel& panel, const std::string& title, Scale scale);
void fit_y(Panel& panel, const std::string& title, Scale scale);

}  // namespace imago::charts
