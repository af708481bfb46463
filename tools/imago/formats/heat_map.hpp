// This file makes the pixels of spectrograms: it converts levels in decibels to indices into a
// palette.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "charts/axis.hpp"
#include "formats/png.hpp"

namespace imago::formats {

using charts::Axis;

/// A spectrum for each moment: `decibels[moment][i]`, with i on the frequency axis, both ends
/// included. NaN and infinity are no levels; minus infinity is silence.
struct Panel {
  std::string name;
  std::vector<std::vector<double>> decibels;
};

/// The range of all finite values (silence has none).
class Extremes {
 public:
  void add(std::span<const double> values);
  /// Returns an axis with round numbers, from the highest value down, at most `range` of them. It
  /// ends `headroom` or more below the lowest value.
  Axis axis(double range, const std::string& title, double headroom = 0) const;

 private:
  double low_ = 1, high_ = -1;  ///< low above high: no values yet
};
/// Returns the range of levels of the panels' colours.
Axis colour_axis(const std::vector<Panel>& panels, const std::string& title);
/// Returns the numbers next to the colour scale, each at its value. The lowest one is for example
/// "≤ -80" if there are lower levels.
std::vector<std::pair<double, std::string>> colour_ticks(const std::vector<Panel>& panels,
                                                         const Axis& level);

/// Returns the colours of levels, from dark to bright through blue, magenta, orange and pale
/// yellow, with evenly increasing brightness. A grey of index kNoLevel follows them.
inline constexpr std::uint8_t kNoLevel = 255;
const std::vector<Colour>& palette();
/// Returns the indices of all levels, highest first.
std::vector<std::uint8_t> all_levels();

struct Pixels {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> indices;  ///< row by row from the top
};
/// Draws each moment as a column with the highest frequency at the top, within the given numbers of
/// columns and rows. If there are more moments than columns, a column shows the largest of its
/// values, and is grey if one has no level. If there are few moments, each fills several columns,
/// so that no viewer blends them.
Pixels pixels(const Panel& panel, const Axis& level, std::size_t columns, std::size_t rows);

}  // namespace imago::formats
