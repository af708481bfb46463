// This file draws charts as plain SVG, in one column or more: lines over a logarithmic axis, each
// of a colour that stays the same from chart to chart.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace imago::bench {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;      ///< log2 of x, y
  std::vector<std::pair<double, double>> apart = {};  ///< points that the line does not join
};
struct Chart {
  std::string title, axes;  ///< what x and y are
  std::vector<ChartLine> lines;
  bool logarithmic = false;  ///< y, too
  bool unity = false;        ///< draws y = 1: where two are as fast
};

/// Adds a point to the line of that name; one that is not `joined` is a dot of its colour.
void add_point(Chart& chart, const std::string& name, double x, double y, bool joined = true);
/// So many charts side by side, line by line; charts without lines are left out.
std::string draw(const std::vector<Chart>& charts, std::size_t columns = 1);

}  // namespace imago::bench
